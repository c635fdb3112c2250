// Package proto holds the contract between grimoire and its plugins, one folder
// for each version: v1/emitter.proto, with the rules for changing it at its
// head, and the Go code generated from it.
//
// The generated types stay at the edge. pluginsdk and core/plugin turn them into
// surface and pluginsdk types; nothing else imports them.
package proto

//go:generate go run ./internal/generate ../.. pluginsdk/proto/v1/emitter.proto

package secrets

import (
	"slices"
	"testing"
)

// The order is a contract: emitted deny rules are compared byte for byte with those of projects already in use.
func TestPermissionGlobs(t *testing.T) {
	want := []string{
		"**/.env", "**/.env.*", "**/.npmrc", "**/.pypirc", "**/id_rsa", "**/id_ed25519", "**/id_ecdsa",
		"**/secret/**", "**/secrets/**", "**/*.pem", "**/*.p12", "**/*.pfx", "**/*.keystore", "**/*.jks",
		"**/credentials", "**/credentials.json", "**/credentials.yaml", "**/credentials.yml", "**/service-account*.json",
	}
	if got := PermissionGlobs(); !slices.Equal(got, want) {
		t.Errorf("PermissionGlobs() = %q\nwant %q", got, want)
	}
}

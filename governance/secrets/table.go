// Package secrets knows which files hold secrets: one table of families, read by the path and pattern matchers of the
// hook and by the permission rules that the emitters write.
//
// It is not for scanning contents, and it opens no file: it judges names only. It is pure and cheap enough for the
// hook's hot path. Anything above governance may import it.
package secrets

// Family names a kind of secret file. The values are stable: they appear in traces.
type Family string

// The families of secret files.
const (
	Dotenv         Family = "dotenv"
	DotenvVariant  Family = "dotenv-variant"
	Npmrc          Family = "npmrc"
	Pypirc         Family = "pypirc"
	SSHKey         Family = "ssh-key"
	SecretsDir     Family = "secrets-dir"
	KeyMaterial    Family = "key-material"
	Credentials    Family = "credentials-file"
	ServiceAccount Family = "service-account"
)

// family is one row of the table. A row is declared once; both the permission globs and the matchers come from it.
type family struct {
	id Family
	// names are globs for one path segment, lower case.
	names []string
	// dir says that the segment is a folder and that everything below it is secret.
	dir bool
	// aim is how many literal characters a pattern must have before it counts as aimed at a name that it could expand
	// to: "*" could expand to any secret and means none of them, "*env" means one.
	aim int
}

var families = []family{
	{id: Dotenv, names: []string{".env"}, aim: 3},
	{id: DotenvVariant, names: []string{".env.*"}, aim: 2},
	{id: Npmrc, names: []string{".npmrc"}, aim: 3},
	{id: Pypirc, names: []string{".pypirc"}, aim: 3},
	{id: SSHKey, names: []string{"id_rsa", "id_ed25519", "id_ecdsa"}, aim: 3},
	{id: SecretsDir, names: []string{"secret", "secrets"}, dir: true, aim: 4},
	{id: KeyMaterial, names: []string{"*.pem", "*.p12", "*.pfx", "*.keystore", "*.jks"}, aim: 3},
	{id: Credentials, names: []string{"credentials", "credentials.json", "credentials.yaml", "credentials.yml"}, aim: 4},
	{id: ServiceAccount, names: []string{"service-account*.json"}, aim: 9},
}

// samples are the dotenv variants that are made to be read: they hold names, never values.
var samples = []string{".env.example", ".env.sample", ".env.template", ".env.dist"}

// PermissionGlobs returns the table as globs for a host's own permission rules, in the table's order. Hosts have no
// exceptions in such rules, so the sample files that the hook leaves alone are covered by "**/.env.*" there.
func PermissionGlobs() []string {
	var globs []string
	for _, f := range families {
		for _, name := range f.names {
			glob := "**/" + name
			if f.dir {
				glob += "/**"
			}
			globs = append(globs, glob)
		}
	}
	return globs
}

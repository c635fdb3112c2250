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
	// home is the folder in which the names are expected: there a pattern that could name one is aimed at it ("~/.ssh/i*"),
	// and to take the whole folder is to take them.
	home string
	// aim is how many literal characters a pattern must have before it counts as aimed at a name that it could expand
	// to: "*" could expand to any secret and means none of them, "*env" means one.
	aim int
}

var families = []family{
	{id: Dotenv, names: []string{".env"}, aim: 3},
	{id: DotenvVariant, names: []string{".env.*"}, aim: 2},
	{id: Npmrc, names: []string{".npmrc"}, aim: 4},
	{id: Pypirc, names: []string{".pypirc"}, aim: 4},
	{id: SSHKey, names: []string{"id_rsa", "id_ed25519", "id_ecdsa"}, home: ".ssh", aim: 3},
	{id: SecretsDir, names: []string{"secret", "secrets"}, dir: true, aim: 4},
	{id: KeyMaterial, names: []string{"*.pem", "*.p12", "*.pfx", "*.keystore", "*.jks"}, aim: 3},
	{id: Credentials, names: []string{"credentials", "credentials.json", "credentials.yaml", "credentials.yml"}, home: ".aws", aim: 4},
	{id: ServiceAccount, names: []string{"service-account*.json"}, aim: 9},
}

// samples are the dotenv variants that are made to be read: they hold names, never values.
var samples = []string{"example", "sample", "template", "dist"}

// sources are the extensions of programs and documents. A folder of code may be called "secrets" too: what has such an
// extension below it is no secret. Formats that hold data (.json, .yaml, .tf, .txt, .sh) are not among them.
const sources = " go ts tsx mts cts js jsx mjs cjs vue svelte py pyi rs java kt kts scala groovy rb php c h cc cpp cxx hpp m mm cs fs " +
	"swift dart ex exs erl hs clj ml lua pl r jl zig nim sol html css scss less md mdx rst adoc ipynb proto graphql "

// codeRoots are the folders that code lies in. A whole folder of secrets is not looked through, but for one of these:
// what is below "src/secrets" is code.
const codeRoots = " src lib pkg internal cmd crates packages test tests spec "

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

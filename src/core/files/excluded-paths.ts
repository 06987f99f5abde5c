/**
 * The one policy of what is kept out, asked by everything that reads, searches, walks, watches or
 * lists a project:
 * - never shown: keys, credentials and the insides of version control, whoever asks;
 * - left out of grep and the index: what was built or fetched;
 * - left out of the index alone: caches, lock files and generated code, found by exact text only.
 */
export function isNeverShown(path: string): boolean {
  return path.split(/[/\\]/).map(plainName).some(isSecretName)
}

/** As a folder of the project, before its entries are looked at. */
export function isLeftOutFolder(name: string): boolean {
  return BUILT_FOLDERS.has(name) || isNeverShown(name)
}

export function isLeftOutOfIndex(path: string): boolean {
  const names = path.split('/')
  const file = names.pop() ?? ''
  if (names.some((name) => BUILT_FOLDERS.has(name) || CACHE_FOLDERS.has(name))) return true
  return LOCK_FILES.has(file) || GENERATED_NAME.test(file) || isNeverShown(path)
}

export function isLeftOutFolderOfIndex(path: string): boolean {
  const names = path.split('/')
  return names.some((name) => CACHE_FOLDERS.has(name) || isLeftOutFolder(name))
}

/** For ripgrep, in its own glob language and without regard to case: it need not open what nobody may see. */
export function excludedGlobs(): string[] {
  return [
    ...BUILT_FOLDERS,
    ...SECRET_NAMES,
    ...[...SECRET_EXTENSIONS].map((extension) => `*.${extension}`),
    '.env*',
    '*.git',
  ]
}

const words = (text: string) => new Set(text.trim().split(/\s+/))

/** The contract's list for grep. */
const BUILT_FOLDERS = words('node_modules .git dist build .next .context')
const CACHE_FOLDERS = words(`
  .hg .svn .venv venv __pycache__ .tox .mypy_cache .pytest_cache .ruff_cache .turbo .cache .gradle
  .idea coverage`)
const LOCK_FILES = words(`
  package-lock.json npm-shrinkwrap.json pnpm-lock.yaml composer.lock Cargo.lock poetry.lock uv.lock
  go.sum packages.lock.json`)
const GENERATED_NAME =
  /\.min\.[a-z]+$|\.bundle\.[a-z]+$|[._]pb2?(_grpc)?\.\w+$|\.pb\.\w+$|\.(generated|g|designer)\.\w+$/i

/** Folders and files that hold credentials under a name of their own, in lower case. */
const SECRET_NAMES = words(`
  .git node_modules .ssh .aws .azure .gcloud .gnupg .kube .docker .password-store .secrets
  .npmrc .netrc _netrc .pypirc .git-credentials .pgpass .my.cnf .mylogin.cnf .htpasswd .dockercfg
  .dockerconfigjson .vault-token .terraformrc terraform.rc .boto .s3cfg rclone.conf .msmtprc
  .fetchmailrc .smbcredentials credentials credentials.json credentials.tfrc.json kubeconfig
  application_default_credentials.json .bash_history .zsh_history .sh_history .psql_history
  .mysql_history .node_repl_history .python_history .rediscli_history`)
const SECRET_EXTENSIONS = words(`
  pem key p8 p12 pfx pkcs8 pkcs12 pk8 jks keystore bcfks kdb kdbx ppk keytab ovpn agekey`)
/** A private key as ssh-keygen names it: no extension, or a backup of one. Its `.pub` may be seen. */
const SSH_KEY = /^id_[^.]*$|^id_(rsa|dsa|ecdsa|ed25519|xmss)[^.]*\.(?!pub$)/

function isSecretName(name: string): boolean {
  if (SECRET_NAMES.has(name) || name.startsWith('.env') || name.endsWith('.git')) return true
  const dot = name.lastIndexOf('.')
  return (dot >= 0 && SECRET_EXTENSIONS.has(name.slice(dot + 1))) || SSH_KEY.test(name)
}

/** Characters that some file systems ignore when they compare names. */
const IGNORED_CHARACTERS = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** As a file system without case, or one that drops trailing dots and stream names, would see it. */
function plainName(segment: string): string {
  const plain = segment.normalize('NFKC').replace(IGNORED_CHARACTERS, '').toLowerCase()
  return plain.replace(/:.*$/s, '').replace(/^ +|[. ]+$/g, '')
}

/**
 * The one policy of what is kept out, asked by everything that reads, searches, walks, watches or
 * lists a project:
 * - never shown: keys, credentials and the insides of version control, whoever asks;
 * - left out of grep and the index: what was built or fetched;
 * - left out of the index alone: caches, lock files and generated code, found by exact text only.
 */
export function isNeverShown(path: string): boolean {
  const names = path.split(/[/\\]/).map(plainName)
  return names.some(isSecretName) || SECRET_PLACES.test(names.join('/'))
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
  credentials.toml application_default_credentials.json local.settings.json .dev.vars .authinfo
  .authinfo.gpg .vault_pass .vault-pass .htdigest .m2 .xauthority .iceauthority secring.gpg
  pgpass.conf .pgpass.conf logins.json key4.db .viminfo .lesshst .bash_history .zsh_history
  .sh_history .psql_history .mysql_history .node_repl_history .python_history .rediscli_history
  .irb_history .pry_history .sqlite_history .mongo_history`)
const SECRET_EXTENSIONS = words(`
  pem key p8 p12 pfx pkcs8 pkcs12 pk8 jks jwk keystore keyring bcfks kdb kdbx ppk keytab ovpn agekey
  env tfstate`)
/** Programs' own folders within one that many share. */
const SECRET_PLACES =
  /(^|\/)\.config\/(gh|hub|gcloud|op|doctl|rclone|sops|age)(\/|$)|(^|\/)\.local\/share\/keyrings(\/|$)/
/** A private key as ssh-keygen names it: no extension, or a backup of one. Its `.pub` may be seen. */
const SSH_KEY =
  /^id_[^.]*$|^id_(rsa|dsa|ecdsa|ed25519|xmss)[^.]*\.(?!pub$)|^ssh_host_[^.]*_key$|^[^.]+[_-](rsa|dsa|ecdsa|ed25519)$/
const SECRETS_FILE = /^\.?secrets\.(json|ya?ml|toml|ini|properties)$|^\.env|\.git$/

function isSecretName(name: string): boolean {
  return originals(name).some((original) => {
    const extension = original.slice(original.lastIndexOf('.') + 1)
    const isKind = original.includes('.') && SECRET_EXTENSIONS.has(extension)
    return (
      isKind || SECRET_NAMES.has(original) || SSH_KEY.test(original) || SECRETS_FILE.test(original)
    )
  })
}

const COPY_END =
  /(?:~|[. _-](?:bak|backup|old|orig|original|save|saved|prev|previous|copy|tmp|temp)[\d._-]*|\.\d+| ?\(\d+\))$/
const SWAP_FILE = /^\.(.+)\.s[v-w][a-z]$/
const EDITORS_COPY = /^\.?#(.+?)#?$/
const MOST_COPIES = 4

/** The name itself, and what it would be a copy of: `.npmrc.bak`, `#id_rsa#`, `.server.key.swp`, `tls.pem~`. */
function originals(name: string): string[] {
  const names = [name]
  const swapped = SWAP_FILE.exec(name)?.[1] ?? EDITORS_COPY.exec(name)?.[1]
  if (swapped) names.push(swapped, `.${swapped}`)
  let whole = name
  for (let round = 0; round < MOST_COPIES && COPY_END.test(whole); round++) {
    whole = whole.replace(COPY_END, '')
    names.push(whole)
  }
  return names
}

/** Characters that some file systems ignore when they compare names. */
const IGNORED_CHARACTERS = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** As a file system without case, or one that drops trailing dots and stream names, would see it. */
function plainName(segment: string): string {
  const plain = segment.normalize('NFKC').replace(IGNORED_CHARACTERS, '').toLowerCase()
  return plain.replace(/:.*$/s, '').replace(/^ +|[. ]+$/g, '')
}

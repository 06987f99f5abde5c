/**
 * The one policy of what is kept out, asked by everything that reads, searches, walks, watches or
 * lists a project:
 * - never shown: keys, credentials and the insides of version control, whoever asks;
 * - left out of grep and the index: what was built or fetched;
 * - left out of the index alone: caches, lock files and generated code, found by exact text only.
 */
export function isNeverShown(path: string): boolean {
  const names = namesIn(path)
  return isSecretPlace(names) || isCredentialFile(names.at(-1) ?? '')
}

/** The same for a folder: `src/auth/password/` has code in it, a file called `password` has one. */
export function isNeverShownFolder(path: string): boolean {
  return isSecretPlace(namesIn(path))
}

function namesIn(path: string): string[] {
  return path.split(/[/\\]/).map(plainName)
}

function isSecretPlace(names: readonly string[]): boolean {
  return names.some(isSecretName) || SECRET_PLACES.test(names.slice(-8).join('/'))
}

/** As a folder of the project, before its entries are looked at. */
export function isLeftOutFolder(name: string): boolean {
  return BUILT_FOLDERS.has(name) || isNeverShownFolder(name)
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
    'client_secret*.json',
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
  .irb_history .pry_history .sqlite_history .mongo_history .credentials.json .hgrc hgrc .svn .subversion
  .cvspass .bzr .gitcookies .passwd-s3fs .passwd .databrickscfg .snowsql .snowflake .oci .aliyun .bluemix
  .ibmcloud .linode-cli .kaggle kaggle.json .huggingface .cloudflared .ngrok2 .terraform.d .pulumi .chef
  .gem .composer .jupyter .1password .bitwarden .tugboat .trc .erlang.cookie .renviron .esmtprc
  .fetchmail .mailrc .muttrc .ftpconfig .ftppass sftp-config.json .remote-sync.json filezilla.xml
  sitemanager.xml recentservers.xml proftpdpasswd hudson.util.secret credentials-config.json .dbshell
  .netlify .vercel .fly .railway .wrangler  rootkey.csv oauth_creds.json
  google_accounts.json token.pickle storage-state.json .storage-state.json cookies.sqlite cookies.txt
  login.keychain  gshadow master.passwd  krb5.keytab  .rhosts .shosts hosts.equiv
  .tsh .teleport .vault .age      
  .netrc.gpg .git-credential-cache   .saml2aws .aws-vault  .doppler .doppler.yaml
    .turso     
  settings-security.xml wallet.dat keystore.json`)
const SECRET_EXTENSIONS = words(`
  pem key p8 p12 pfx pkcs8 pkcs12 pk8 jks jwk keystore keyring bcfks kdb kdbx ppk keytab ovpn agekey
  env tfstate tfvars kubeconfig keychain keychain-db kwallet agilekeychain opvault 1pux pkcs1 priv secret secrets
  credentials creds passwd pwd token bks sshkey pgpass`)
/** Programs' own folders within one that many share. */
const SECRET_PLACES =
  /(?:^|\/)(?:\.config\/(?:gh|hub|gcloud|op|doctl|rclone|sops|age|github-copilot|glab-cli|hcloud|scw|heroku|stripe|ngrok|configstore|flyctl|netlify|vercel|turso|supabase|goose|openai|anthropic|git\/credentials|\.wrangler|wrangler|linode-cli|civo|pulumi|helm\/registry|containers\/auth\.json|yandex-cloud|azure|firebase|railway|exercism|hetzner|atuin|transmission-daemon)(?:\/|$)|\.local\/share\/(?:keyrings|opencode\/auth\.json|atuin|kwalletd|com\.vercel\.cli)(?:\/|$)|\.cache\/huggingface\/token|\.codex\/auth|\.claude\/\.credentials|\.streamlit\/secrets|\.vscode\/sftp\.json|\.idea\/(?:datasources\.local|webservers)\.xml|\.gradle\/gradle\.properties|\.gemini\/(?:oauth|gemini-credentials)|\.qwen\/oauth|etc\/shadow|run\/secrets\/|var\/run\/secrets\/|\.hg\/hgrc|\.jenkins\/secrets|\.cargo\/credentials|appdata\/roaming\/gcloud|\.[^/]{1,60}\/auth\.json$)|^auth\.json$/
/** A private key as ssh-keygen names it: no extension, or a backup of one. Its `.pub` may be seen. */
const SSH_KEY =
  /^id_[^.]*$|^id_(rsa|dsa|ecdsa|ed25519|xmss)[^.]*\.(?!pub$)|^ssh_host_[^.]*_key$|^[^.]+[_-](rsa|dsa|ecdsa|ed25519)$/
const SECRETS_FILE = /^\.?secrets\.(json|ya?ml|toml|ini|properties)$|^\.env|\.git$/

/** Files that hold what they are called, and nothing that runs: `client_secret_7.json`, `my_private_key`, `prod.pem.txt`. */
const DATA_ENDINGS = words(`
  json jsonc json5 yaml yml toml ini cfg conf config properties xml csv tsv txt text plist cnf b64 base64 enc asc dat
  pickle log ps1xml list lst rtf doc docx xls xlsx ods pdf db sqlite sqlite3 gpg age`)
const ENVIRONMENTS = words(`
  prod production dev development staging stage local test testing live qa uat preview ci docker default private shared
  old new backup prd stg sandbox main master root admin user team personal work home my app web api server db database`)
const ENV_FILE =
  /^(?:env|dotenv|environment)[._-](?:prod|production|dev|development|staging|stage|local|test|testing|live|qa|uat|preview|ci|docker|secrets?|private)(?:\.(?:json|ya?ml|txt|ini|properties|sh))?$/
const CREDENTIAL_WORD =
  /^(?:credentials?|creds?|secrets?|passwords?|passwd|passwds|passphrase|privatekeys?|privkeys?|apikeys?|accesskeys?|rootkeys?|authtokens?|accesstokens?|kubeconfigs?|htpasswd|serviceaccountkey|sshkeys?|secretkeys?|keystore|vaultpass|rootcredentials)$/
const CREDENTIAL_PAIR =
  /^(?:private|secret|ssh|deploy|signing|api|access|encryption|master|root|account|service|admin|rsa|host|server|client|license|auth|gcp|aws|azure|firebase|gcloud|google|github|gitlab|openai|anthropic|stripe|bot|refresh|bearer|session|personal|npm|pypi|vault|recovery|backup|mfa|otp)-(?:keys?|tokens?|codes)$/
/** Such a name is about secrets, and has none in it. */
const ABOUT = words(`
  sealed external public example sample template schema policy rules common weak top blocked breached forgot reset change
  changed design no without rotate list-of docs test-vectors license-header`)

const CLIENT_SECRET = /^client[-_]secrets?[-_.\w]{0,200}\.json$/
/** As JSON it is a key; as YAML it is a manifest that names an account. */
const SERVICE_ACCOUNT = /service[-_]?account|^(?:gcp|gcloud|google)[-_](?:key|sa)/

/** Whether a file that is only data is named after the credentials in it. */
function isCredentialFile(name: string): boolean {
  return originals(name).some((original) => {
    if (ENV_FILE.test(original) || CLIENT_SECRET.test(original)) return true
    const parts = original.split('.')
    while (parts.length > 1 && DATA_ENDINGS.has(parts.at(-1) ?? '')) {
      parts.pop()
      // `prod.pem.txt` is a key that somebody made readable.
      if (parts.length > 1 && SECRET_EXTENSIONS.has(parts.at(-1) ?? '')) return true
    }
    if (parts.length > 1 && parts[0] !== '' && !ENVIRONMENTS.has(parts.at(-1) ?? '')) return false
    const stem = parts.join('.')
    return isCredentialStem(stem) || (original.endsWith('.json') && SERVICE_ACCOUNT.test(stem))
  })
}

function isCredentialStem(stem: string): boolean {
  const all = stem.split(/[^a-z0-9]/).filter((word) => word !== '')
  if (all.some((word) => ABOUT.has(word))) return false
  if (/firebase-adminsdk-|^gha-creds-|_accesskeys$|^kube[-_]?config|^\.?token$/.test(stem))
    return true
  let end = all.length
  while (end > 1 && (ENVIRONMENTS.has(all[end - 1] ?? '') || /^\d+$/.test(all[end - 1] ?? '')))
    end--
  const last = all[end - 1] ?? ''
  const before = all[end - 2] ?? ''
  return (
    CREDENTIAL_WORD.test(last) ||
    CREDENTIAL_PAIR.test(`${before}-${last}`) ||
    CREDENTIAL_WORD.test(before + last)
  )
}

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

/** A name on any file system is shorter; the rest of a longer one is not read. */
const MAX_NAME = 1_000

/** As a file system without case, or one that drops trailing dots and stream names, would see it. */
function plainName(segment: string): string {
  const plain = segment
    .slice(0, MAX_NAME)
    .normalize('NFKC')
    .replace(IGNORED_CHARACTERS, '')
    .toLowerCase()
  const [name = ''] = plain.split(':', 1)
  let end = name.length
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--
  return name.slice(0, end).trimStart()
}

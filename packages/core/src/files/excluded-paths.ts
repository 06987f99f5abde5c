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
  .netlify .vercel .fly .railway .wrangler rootkey.csv oauth_creds.json google_accounts.json token.pickle
  storage-state.json .storage-state.json storagestate.json .auth .auth.json cookies.sqlite cookies.txt .cookies
  login.keychain gshadow shadow- master.passwd krb5.keytab .rhosts .shosts hosts.equiv .tsh .teleport .vault .age
  .netrc.gpg .git-credential-cache .saml2aws .aws-vault .doppler .doppler.yaml .turso settings-security.xml wallet.dat
  keystore.json clouds.yaml clouds.yml clouds-public.yaml openrc.sh .openstack .argocd .talos talosconfig k3s.yaml .near-credentials
  .mcp-auth .claude.json claude_desktop_config.json .flaskenv .sentryclirc .condarc pip.conf .pip .bundle
  .dockerconfig dockercfg regcred.json s3cfg .s3curl .gsutil .influxdbv2 pg_service.conf .pg_service.conf .sqlpass
  wp-config.php localsettings.php connectionstrings.config key.properties signing.properties keystore.properties ngrok.yml ngrok.yaml
  unattend.xml autounattend.xml sysprep.inf ntds.dit ntuser.dat key3.db signons.sqlite .keys .pulumi-credentials
  .cifscreds .smbcreds .vsts .tfe .env-vault .1pif .conjurrc .conjur .okta .saml .stripe .twilio-cli .newrelic .akamai .edgerc
  .heroku .ngrok .nuget .circleci-token .cypress.env.json cypress.env.json http-client.private.env.json`)
const SECRET_EXTENSIONS = words(`
  pem key p8 p12 pfx pkcs8 pkcs12 pk8 jks jwk keystore keyring bcfks kdb kdbx ppk keytab ovpn agekey
  env tfstate tfvars kubeconfig keychain keychain-db kwallet agilekeychain opvault 1pux pkcs1 priv secret secrets
  credentials creds passwd pwd token bks sshkey pgpass pw passwords psk 1pif dockercfg dockerconfigjson rkestate age-key htpasswd`)
/** Programs' own folders within one that many share. */
const SECRET_PLACES =
  /(?:^|\/)(?:\.config\/(?:gh|hub|gcloud|op|doctl|rclone|sops|age|github-copilot|glab-cli|hcloud|scw|heroku|stripe|ngrok|configstore|flyctl|netlify|vercel|turso|supabase|goose|openai|anthropic|git\/credentials|\.wrangler|wrangler|linode-cli|civo|pulumi|helm\/(?:registry|repositories)|openstack|argocd|solana|near|jgit|pip|pypoetry|mcp|bitwarden[^/]{0,10}|lab|tea|crush|containers\/auth\.json|yandex-cloud|azure|firebase|railway|exercism|hetzner|atuin|transmission-daemon)(?:\/|$)|\.local\/share\/(?:keyrings|opencode\/auth\.json|atuin|kwalletd|com\.vercel\.cli)(?:\/|$)|\.cache\/huggingface\/token|\.codex\/auth|\.claude\/\.credentials|\.streamlit\/secrets|\.vscode\/sftp\.json|\.idea\/(?:datasources\.local|webservers)\.xml|\.gradle\/gradle\.properties|\.gemini\/(?:oauth|gemini-credentials)|\.qwen\/oauth|etc\/shadow|run\/secrets\/|var\/run\/secrets\/|\.hg\/hgrc|\.jenkins\/secrets|\.cargo\/credentials|appdata\/roaming\/gcloud|\.(?:config|local\/share)\/[^/]{1,60}\/(?:auth|credentials?|secrets?|tokens?)\.[a-z]{2,5}$|kubernetes\/(?:super-)?(?:admin|kubelet|scheduler|controller-manager)\.conf$|(?:group|host)_vars\/.{0,100}vault\.ya?ml$|\.[^/]{1,60}\/auth\.json$)|^auth\.json$/
/** A private key as ssh-keygen names it: no extension, or a backup of one. Its `.pub` may be seen. */
const SSH_KEY =
  /^id_[^.]*$|^id_(rsa|dsa|ecdsa|ed25519|xmss)[^.]*\.(?!pub$)|^ssh_host_[^.]*_key$|^[^.]+[_-](rsa|dsa|ecdsa|ed25519)$/
const SECRETS_FILE = /^\.?secrets\.(json|ya?ml|toml|ini|properties)$|^\.env|\.git$/

/** Files that hold what they are called, and nothing that runs: `client_secret_7.json`, `my_private_key`, `prod.pem.txt`. */
const DATA_ENDINGS = words(`
  json jsonc json5 yaml yml toml ini cfg conf config properties xml csv tsv txt text plist cnf b64 base64 enc asc dat
  pickle log ps1xml list lst rtf doc docx xls xlsx ods pdf db sqlite sqlite3 gpg age zip tar gz tgz bz2 xz 7z rar pgp`)
const ENVIRONMENTS = words(`
  prod production dev development staging stage local test testing live qa uat preview ci docker default private shared
  old new backup prd stg sandbox main master root admin user team personal work home my app web api server db database
  file export dump list copy final`)
const ENV_FILE =
  /^(?:env|dotenv|environment)[._-](?:prod|production|dev|development|staging|stage|local|test|testing|live|qa|uat|preview|ci|docker|secrets?|private)(?:\.(?:json|ya?ml|txt|ini|properties|sh))?$/
const CREDENTIAL_WORD =
  /^(?:(?:initial|admin|root|db|my|our|all|master|vault|default|mysql|postgres|kubeadmin|sudo|ssh|aws|gcp|docker|registry|team|prod){0,3}(?:passwords?|passwds?|passwd|creds?|credentials?|secrets?|passphrase)|userpass|(?:private|priv|api|access|root|secret|ssh|deploy|signing|encryption|service|unseal|appstoreconnect)keys?|(?:auth|access|refresh|oauth|bot|api)tokens?|kubeconfigs?|htpasswd|serviceaccountkey|keystore|keypairs?|keyfile|vaultpass|pullsecrets?|seedphrase|mnemonic|totp|logins|cookiejar|rootcredentials)$/
const CREDENTIAL_PAIR =
  /^(?:private|secret|ssh|deploy|signing|signature|upload|api|access|encryption|master|root|account|service|services|sa|admin|rsa|gpg|age|sops|tls|ssl|jwt|wg|wireguard|host|server|client|license|auth|oauth|mcp|gcp|aws|azure|firebase|gcloud|google|github|gitlab|bitbucket|gitea|openai|anthropic|gemini|mistral|groq|cohere|openrouter|deepseek|xai|perplexity|huggingface|hf|elevenlabs|stripe|twilio|sendgrid|mailgun|slack|discord|telegram|datadog|sentry|cloudflare|digitalocean|hetzner|heroku|appstoreconnect|connect|asc|play|bot|refresh|bearer|session|personal|npm|pypi|vault|unseal|init|cluster|recovery|backup|mfa|otp|2fa|seed)-(?:keys?|tokens?|codes|phrase)$|^(?:registry|docker|proxy|npm|basic)-auth$|^(?:vault|bao)-init$|^cookie-jar$/
const TOKEN_FILE = /token$|token\.(?:txt|json)$/
/** A token of these has no secret in it. */
const NO_TOKEN = words(
  'stop design color colour css theme syntax spacing next page sub special eos bos pad unk cancellation lexer parse',
)
/** As the programs name them that keep passwords, when they write them out. */
const EXPORTED =
  /^(?:bitwarden|lastpass|1password|dashlane|keepass|keepassxc|keeper|nordpass|enpass|proton[-_ ]?pass|roboform)[\w .-]{0,60}\.(?:csv|json|1pif|xml|txt|zip)$|^utc--\d{4}-|^(?:wg\d{1,3}|wireguard)\.conf$|^[\w.-]{0,60}postman_environment\.json$|^[\w-]{0,40}openrc(?:\.sh)?$|^keystonerc|^[._]netrc|^(?:login|web) data$/
/** As Google names the key of a service account: the project and a part of the key's id. */
const PROJECT_KEY =
  /^(?![\da-f]{8}-)[a-z][a-z\d-]{4,40}-(?=[a-f]{0,11}\d)(?=\d{0,11}[a-f])[\da-f]{12}\.json$/
/** Only a file: folders with code in them are called so too. */
const FILE_NAMES = words('shadow sam dotenv credstore')
/** Such a name is about secrets, and has none in it. */
const ABOUT = words(`
  sealed external public example sample template schema policy rules common weak top blocked breached forgot reset change
  changed design no without rotate list-of docs test-vectors license-header`)

const CLIENT_SECRET = /^client[-_]secrets?[-_.\w]{0,200}\.json$/
/** As JSON it is a key; as YAML it is a manifest that names an account. */
const SERVICE_ACCOUNT = /service[-_]?account|^(?:gcp|gcloud|google)[-_](?:key|sa)|^sa(?:[-_]key)?$/

/** Whether a file that is only data is named after the credentials in it. */
function isCredentialFile(name: string): boolean {
  return originals(name).some((original) => {
    if (ENV_FILE.test(original) || CLIENT_SECRET.test(original)) return true
    if (EXPORTED.test(original) || PROJECT_KEY.test(original) || FILE_NAMES.has(original))
      return true
    const parts = original.split('.')
    while (parts.length > 1 && DATA_ENDINGS.has(parts.at(-1) ?? '')) {
      parts.pop()
      const left = parts.join('.')
      if (left.startsWith('.') && SECRET_NAMES.has(left)) return true
      if (SSH_KEY.test(left) && /^id_(?:rsa|dsa|ecdsa|ed25519)|_(?:rsa|ed25519)$/.test(left))
        return true
      // `prod.pem.txt` is a key that somebody made readable.
      if (parts.length > 1 && SECRET_EXTENSIONS.has(parts.at(-1) ?? '')) return true
    }
    if (parts.length > 1 && parts[0] !== '' && !ENVIRONMENTS.has(parts.at(-1) ?? '')) return false
    const stem = parts.join('.')
    return (
      isCredentialStem(stem) ||
      (TOKEN_FILE.test(original) && isTokenStem(stem)) ||
      (original.endsWith('.json') && SERVICE_ACCOUNT.test(stem))
    )
  })
}

/** `hf_token`, `slack-token.txt`: whoever gave it. */
function isTokenStem(stem: string): boolean {
  const [first = '', ...rest] = stem.split(/[^a-z0-9]/).filter((word) => word !== '')
  return (
    rest.at(-1) === 'token' &&
    ![first, ...rest].some((word) => NO_TOKEN.has(word) || ABOUT.has(word))
  )
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
  let at = end - 2
  while (at > 0 && ENVIRONMENTS.has(all[at] ?? '') && !CREDENTIAL_PAIR.test(`${all[at]}-${last}`))
    at--
  const before = all[at] ?? ''
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
const MAX_COPIES = 4

/** The name itself, and what it would be a copy of: `.npmrc.bak`, `#id_rsa#`, `.server.key.swp`, `tls.pem~`. */
function originals(name: string): string[] {
  const names = [name]
  const swapped = SWAP_FILE.exec(name)?.[1] ?? EDITORS_COPY.exec(name)?.[1]
  if (swapped) names.push(swapped, `.${swapped}`)
  let whole = name
  for (let round = 0; round < MAX_COPIES && COPY_END.test(whole); round++) {
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

import { isPlaceholder } from './generated.ts'
import type { Span } from './span.ts'

/** The arguments that are secret, the group `secret` of a pattern, by the programs that take them so. */
const ARGUMENTS: readonly (readonly [programs: string, pattern: RegExp])[] = [
  [
    'curl http https ab influx etcdctl nexus svnadmin gh-api wget2 aria2c',
    /\s(?:-u|--user|--proxy-user|-U|-a|--auth|-A)[ =]?["']?[^\s:"'$]{0,100}:(?<secret>[^\s"']{3,200})/g,
  ],
  [
    'curl',
    /\s(?:--oauth2-bearer|-E|--cert)[ =]["']?(?:[^\s:"']{1,100}:)?(?<secret>[\w.~+-]{6,400})/g,
  ],
  [
    'mysql mysqldump mysqladmin mysqlimport mysqlsh mysqlcheck mysqlbinlog mariadb mariadb-dump mariadb-admin mycli',
    /\s-p(?<secret>[^\s"'-][^\s"']{2,200}|"[^"\n]{3,200}"|'[^'\n]{3,200}')/g,
  ],
  [
    `sshpass docker podman buildah nerdctl az oc helm crane mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh
    ncftp rdesktop rabbitmqadmin usermod useradd isql cypher-shell psexec twine altool influx arangosh virtctl ansible
    plesk wp ejabberdctl gsql ysqlsh odoo-bin paexec`,
    /\s(?:-p|-P)[ =]?["']?(?<secret>[^\s"'=-][^\s"']{3,200})/g,
  ],
  [
    'plink pscp psftp puttygen kitty kadmin kadmin.local',
    /\s-(?:pw|w)\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,200})/g,
  ],
  ['redis-cli valkey-cli keydb-cli', /\s-a[ =]?["']?(?<secret>[^\s"'-][^\s"']{3,200})/g],
  ['7z 7za 7zz rar unrar', /\s-(?:p|hp)["']?(?<secret>[^\s"'-][^\s"']{2,200})/g],
  [
    'zip unzip sqlcmd bcp p4 mosquitto_pub mosquitto_sub ipmitool tsql fisql osql',
    /\s-P ?["']?(?<secret>[^\s"'-][^\s"']{3,200})/g,
  ],
  [
    'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare ipmitool',
    /\s-[wPs] ?["']?(?<secret>(?!(?:sub|base|one|children)\b)[^\s"'-][^\s"']{3,200})/g,
  ],
  [
    'smbclient winexe net smbmap rpcclient crackmapexec nxc smbget',
    /\s(?:-U|--user|\/user:)[ =]?["']?[^\s%"']{1,100}%(?<secret>[^\s"']{3,200})/g,
  ],
  ['net', /\s\/user:[^\s"']{1,100}\s{1,3}["']?(?<secret>[^\s"'/*][^\s"']{3,200})/g],
  ['net', /\suser\s{1,3}[^\s/]{1,60}\s{1,3}["']?(?<secret>[^\s"'/*][^\s"']{3,200})/g],
  [
    'openssl apksigner',
    /\s--?(?:passin|passout|pass|k|password|ks-pass|key-pass)[ =]["']?(?:pass:)?(?<secret>[^\s"':-][^\s"':]{3,200})(?=["'\s]|$)/g,
  ],
  [
    'openssl',
    /\s-(?:K|hmac|macopt)\s{1,3}["']?(?:(?:hex)?key:)?(?<secret>[^\s"':-][^\s"':]{7,200})(?=["'\s]|$)/g,
  ],
  [
    'keytool jarsigner',
    /\s-(?:storepass|keypass|srcstorepass|deststorepass|new)[ =]["']?(?<secret>[^\s"'-][^\s"']{3,200})/g,
  ],
  [
    'sqlplus sqlldr exp imp expdp impdp rman sqlcl',
    /\s(?:-[SL] |userid=|target )?["']?[\w$#]{1,40}\/(?<secret>[^\s@"'/]{3,100})@/g,
  ],
  ['lftp', /\s-u ?["']?[^\s,"']{1,100},(?<secret>[^\s"']{3,200})/g],
  ['xfreerdp wfreerdp signtool', /\s\/p[: ]["']?(?<secret>[^\s"']{3,200})/g],
  [
    'htpasswd mosquitto_passwd htdigest',
    /\s-\w{0,8}b\w{0,8}\s{1,3}\S{1,200}\s{1,3}\S{1,100}\s{1,3}["']?(?<secret>[^\s"']{3,200})/g,
  ],
  [
    'htpasswd',
    /\s-(?:\w{0,4}n\w{0,4}b\w{0,4}|\w{0,4}b\w{0,4}n\w{0,4})\s{1,3}[^\s-]\S{0,100}\s{1,3}["']?(?<secret>[^\s"']{3,200})/g,
  ],
  ['vault', /\s(?:login|unseal)\s{1,3}(?:token=)?(?<secret>[\w./+=-]{8,200})/g],
  [
    'gh glab',
    /\s(?:secret|variable)\s[^\n]{0,300}?\s(?:-b|--body|-v|--value)[ =]["']?(?<secret>[^\s"'-][^\s"']{3,200})/g,
  ],
  ['glab doctl', /\s(?:-t|--token|--access-token)[ =]["']?(?<secret>[\w.-]{16,400})/g],
  [
    'aws az',
    /\s--(?:secret-string|secret-value|value)[ =]["']?(?<secret>[^\s"'{-][^\s"']{3,200})(?=["'\s]|$)/g,
  ],
  [
    'dotnet',
    /\suser-secrets\s{1,3}set\s{1,3}\S{1,100}\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,400})/g,
  ],
  ['dotnet nuget', /\s(?:-k|-ApiKey|setapikey)[ =]["']?(?<secret>[\w-]{16,200})/gi],
  ['kubectl oc', /\s--from-literal[ =]["']?[\w.-]{1,100}=["']?(?<secret>[^\s"']{4,400})/g],
  ['ansible-vault', /\sencrypt_string\s[^\n'"]{0,200}["'](?<secret>[^\s"']{4,200})/g],
  ['ssh-keygen', /\s-[NP] ?["']?(?<secret>[^\s"'-][^\s"']{3,200})/g],
  ['security', /\s-[wpPk] ?["']?(?<secret>[^\s"'/-][^\s"']{3,200})(?=["'\s]|$)/g],
  ['cmdkey', /\s\/pass:["']?(?<secret>[^\s"']{3,200})/g],
  ['wpa_passphrase', /\s\S{1,60}\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{7,63})/g],
  [
    'skopeo buildah podman crane oras regctl',
    /\s--(?:src-|dest-)?creds[ =]["']?[^\s:"']{1,100}:(?<secret>[^\s"']{3,200})/g,
  ],
  [
    'composer poetry',
    /\shttp-basic\.\S{1,100}\s{1,3}\S{1,100}\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,200})/g,
  ],
  [
    'composer poetry',
    /\s(?:pypi-token|github-oauth|gitlab-token|bearer)\.\S{1,100}\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{7,400})/g,
  ],
  ['bundle', /\sconfig\s[^\n:]{1,200}\s["']?[^\s:"']{1,100}:(?<secret>[^\s"']{4,200})/g],
  [
    'rclone',
    /\s(?:obscure|pass|key|secret_access_key)\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,200})/g,
  ],
  [
    'mc',
    /\salias\s{1,3}set\s{1,3}\S{1,60}\s{1,3}\S{1,200}\s{1,3}\S{1,100}\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,200})/g,
  ],
  ['mount', /[\s,](?:password|pass)=(?<secret>[^\s,"']{3,200})/g],
  [
    'rabbitmqctl',
    /\s(?:add_user|change_password|authenticate_user)\s{1,3}\S{1,60}\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,200})/g,
  ],
  [
    'neo4j-admin grafana-cli grafana',
    /\s(?:set-initial-password|reset-admin-password)\s{1,3}(?:--\S{1,40}\s{1,3})?["']?(?<secret>[^\s"'-][^\s"']{3,200})/g,
  ],
  ['bw', /\s(?:unlock|login\s{1,3}\S{1,100})\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,200})/g],
  [
    'cargo snyk ngrok wrangler wandb huggingface-cli',
    /\s(?:login|auth|authtoken|add-authtoken)\s{1,3}["']?(?<secret>[\w-]{20,200})(?=["'\s]|$)/g,
  ],
  [
    'b2 b2v4',
    /\s(?:authorize-account|account authorize)\s{1,3}\S{1,60}\s{1,3}(?<secret>\S{16,100})/g,
  ],
  ['pulumi', /\s--secret\s{1,3}\S{1,100}\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,400})/g],
  [
    'pulumi',
    /\sconfig\s{1,3}set\s{1,3}[^\s-]\S{0,100}\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,200})["']?\s{1,3}--secret\b/g,
  ],
  ['radtest', /\s\S{1,60}\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,100})/g],
  [
    'snmpwalk snmpget snmpset snmptrap snmpbulkwalk',
    /\s-[AXc]\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{5,100})/g,
  ],
  [
    'swaks sendemail sendEmail mailx',
    /\s-{1,2}(?:ap|xp)\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,100})/g,
  ],
  [
    'splunk jenkins-cli.jar jenkins-cli',
    /\s-auth\s{1,3}["']?[^\s:"']{1,100}:(?<secret>[^\s"']{3,200})/g,
  ],
  ['pdftk', /\s(?:input_pw|user_pw|owner_pw)\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,100})/g],
  ['qpdf', /\s--encrypt\s{1,3}["']?(?<secret>[^\s"'-][^\s"']{3,100})/g],
  ['iwconfig', /\skey\s{1,3}["']?(?:s:)?(?<secret>[^\s"'-][^\s"']{4,100})/g],
  [
    'git',
    /\s-c\s{1,3}http\.\S{0,100}extraheader=["']?[^\n"']{0,60}?\s(?<secret>[\w+/=.-]{8,400})/gi,
  ],
  ['nmcli', /\spassword\s{1,3}["']?(?<secret>[^\s"'$]{4,100})/g],
]

const PATTERNS = new Map<string, RegExp[]>()
for (const [programs, pattern] of ARGUMENTS)
  for (const program of programs.split(/\s+/))
    PATTERNS.set(program, [...(PATTERNS.get(program) ?? []), pattern])

/** `/etc/.htpasswd` is a file and begins no command; `/usr/bin/curl` is a program. */
const PROGRAM = /(?<![\w.-])(?:7z|[A-Za-z])[\w.-]{0,30}(?=(?:\.exe)?[ \t\\])/g
const MAX_COMMAND = 4_000

/** Passwords in the arguments of commands, each command read up to the next one. */
export function findCommandSecrets(text: string): Span[] {
  const found: Span[] = []
  const programs = [...text.matchAll(PROGRAM)].filter(([name]) => PATTERNS.has(name))
  for (const [order, { index, 0: program }] of programs.entries()) {
    const from = index + program.length
    const next = programs[order + 1]?.index ?? text.length
    const command = text.slice(from, endOfCommand(text, from, Math.min(next, from + MAX_COMMAND)))
    for (const pattern of PATTERNS.get(program) ?? []) {
      for (const argument of command.matchAll(pattern)) {
        const secret = argument.groups?.secret ?? ''
        if (isHarmless(secret, program, command)) continue
        const start = from + argument.index + argument[0].lastIndexOf(secret)
        found.push({ start, end: start + secret.length, kind: 'password' })
      }
    }
  }
  return found
}

/** A command ends with its line, unless that ends in a backslash. */
function endOfCommand(text: string, from: number, limit: number): number {
  for (let at = from; at < limit; at++)
    if (text[at] === '\n' && text[at - 1] !== '\\' && text[at - 1] !== '^') return at
  return limit
}

function isHarmless(secret: string, program: string, command: string): boolean {
  if (/^["']?[$%<{[(*]/.test(secret) || isPlaceholder(secret)) return true
  if (/^["']?(?:password|passwd|pass|pwd|secret|env:|file:|stdin)/i.test(secret)) return true
  // `docker run -p 8080:80` names ports, `-p some/path` a folder.
  if (/^\s{1,5}(?:[a-z]{1,20}\s{1,5})?login\s/.test(command) || !AMBIGUOUS.has(program))
    return false
  return !/^(?=\D*\d)(?=.*[A-Za-z])[^:/]{6,}$/.test(secret)
}

/** Programs whose `-p` is a port or a project for most of their commands. */
const AMBIGUOUS = new Set('docker podman nerdctl ansible influx oc helm az wp virtctl'.split(' '))

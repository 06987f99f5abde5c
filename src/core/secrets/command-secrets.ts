import { isPlaceholder } from './generated.ts'
import type { Span } from './span.ts'

/** Programs that take a password as an argument without naming it. */
const PROGRAM =
  /\b(curl|wget|https?|ab|mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|sshpass|redis-cli|mongo|mongosh|mongodump|mongorestore|docker|podman|az|htpasswd|openssl|7z|7za|zip|unzip|rar|unrar|ldapsearch|ldapadd|ldapmodify|smbclient|mount|sqlcmd|bcp|sqlplus|vault|keytool|jarsigner|lftp|ncftp|xfreerdp|rdesktop|ipmitool|snmpwalk|expect|rabbitmqctl|rabbitmqadmin|influx|cqlsh|clickhouse-client|isql|net|winexe|psexec|chpasswd|useradd|usermod)(?=[ \t\\])/g
/** The arguments of a command, of which the group is the secret, by program. */
const ARGUMENTS: readonly (readonly [programs: RegExp, pattern: RegExp])[] = [
  [
    /^(?:curl|https?|ab|influx)$/,
    /\s(?:-u|--user|--proxy-user|-U|-a|--auth|-A)[ =]?["']?[^\s:"'$]{0,100}:(?<secret>[^\s"']{3,200})/g,
  ],
  [/^(?:mysql|mariadb)/, /\s-p(?<secret>[^\s"'-][^\s"']{2,200}|"[^"\n]{3,200}"|'[^'\n]{3,200}')/g],
  [
    /^(?:sshpass|docker|podman|az|mongo|cqlsh|ncftp|rdesktop|rabbitmq|usermod|useradd|isql)/,
    /\s(?:-p|-P)[ =]?["']?(?<secret>[^\s"'=-][^\s"']{3,200})/g,
  ],
  [/^redis-cli$/, /\s-a[ =]?["']?(?<secret>[^\s"'-][^\s"']{3,200})/g],
  [/^(?:7z|7za|rar|unrar)$/, /\s-(?:p|hp)["']?(?<secret>[^\s"'-][^\s"']{2,200})/g],
  [/^(?:zip|unzip|sqlcmd|bcp)$/, /\s-P ?["']?(?<secret>[^\s"'-][^\s"']{3,200})/g],
  [/^(?:ldap|ipmitool)/, /\s-[wP] ?["']?(?<secret>[^\s"'-][^\s"']{3,200})/g],
  [
    /^(?:smbclient|winexe|net)$/,
    /\s(?:-U|--user|\/user:)[ =]?["']?[^\s%"']{1,100}%(?<secret>[^\s"']{3,200})/g,
  ],
  [/^net$/, /\s\/user:[^\s"']{1,100}\s{1,3}["']?(?<secret>[^\s"'/*][^\s"']{3,200})/g],
  [
    /^openssl$/,
    /\s-(?:passin|passout|pass|k|password)[ =]["']?(?:pass:)?(?<secret>[^\s"':-][^\s"':]{3,200})(?=["'\s]|$)/g,
  ],
  [
    /^(?:keytool|jarsigner)$/,
    /\s-(?:storepass|keypass|srcstorepass|deststorepass|new)[ =]["']?(?<secret>[^\s"'-][^\s"']{3,200})/g,
  ],
  [/^sqlplus$/, /\s(?:-[SL] )?["']?[\w$#]{1,40}\/(?<secret>[^\s@"']{3,100})@/g],
  [/^lftp$/, /\s-u ?["']?[^\s,"']{1,100},(?<secret>[^\s"']{3,200})/g],
  [/^xfreerdp$/, /\s\/p:["']?(?<secret>[^\s"']{3,200})/g],
  [
    /^htpasswd$/,
    /\s-\w{0,8}b\w{0,8}\s{1,3}\S{1,200}\s{1,3}\S{1,100}\s{1,3}["']?(?<secret>[^\s"']{3,200})/g,
  ],
  [/^vault$/, /\slogin\s{1,3}(?<secret>[\w.-]{8,200})/g],
  [/^mount$/, /[\s,](?:password|pass)=(?<secret>[^\s,"']{3,200})/g],
]
const MAX_COMMAND = 4_000

/** Passwords in the arguments of commands, each command read up to the next one. */
export function findCommandSecrets(text: string): Span[] {
  const found: Span[] = []
  const programs = [...text.matchAll(PROGRAM)]
  for (const [order, match] of programs.entries()) {
    if (/[\w.-]/.test(text[match.index - 1] ?? '')) continue
    const from = match.index + match[0].length
    const next = programs[order + 1]?.index ?? text.length
    const command = text.slice(from, endOfCommand(text, from, Math.min(next, from + MAX_COMMAND)))
    const program = match[1] ?? ''
    for (const [names, pattern] of ARGUMENTS) {
      if (!names.test(program)) continue
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
  // `docker run -p 8080:80` names ports.
  if (!/^(?:docker|podman)$/.test(program) || /^\s{1,5}login\s/.test(command)) return false
  return !/^(?=\D*\d)(?=.*[A-Za-z])[^:]{6,}$/.test(secret)
}

const SQL =
  /\b(?:identified\s{1,5}(?:with\s{1,5}\w{1,40}\s{1,5})?by|password|set\s{1,5}password\s{1,3}=)\s{1,5}'(?<secret>[^'\n]{3,200})'/gi
/** As curl and git keep it in a file of their own. */
const NETRC =
  /\b(?:machine\s{1,5}\S{1,200}|default)\s{1,5}login\s{1,5}\S{1,200}\s{1,5}password\s{1,5}(?<secret>\S{3,200})/g
const OTP = /otpauth:\/\/[^\s"'?]{1,200}\?[^\s"']{0,200}?secret=(?<secret>[A-Z2-7]{10,200})/gi
const COOKIE_HEADER =
  /(?<![\w.-])(?:set-)?cookie2?["']?[ \t]{0,3}:[ \t]{0,3}["']?(?=[^\n=]{1,80}=)(?<cookies>[^\n"']{8,4000})/gi
const COOKIE = /(?:^|;)[ \t]{0,3}(?<name>[^=;\s]{1,100})=(?<value>[^;\s]{6,4000})/g
const ATTRIBUTE =
  /^(?:path|domain|expires|max-age|samesite|version|priority|comment|lang|locale|theme|_ga.*|_gid)$/i
const SESSION_NAME = /sess|sid|auth|token|jwt|csrf|xsrf|remember|login|user|secret|id$/i

/** What other notations hold: SQL, one-time passwords and the headers of cookies. */
export function findNotations(text: string): Span[] {
  const found: Span[] = []
  const add = (pattern: RegExp, kind: string) => {
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.secret ?? ''
      if (isPlaceholder(secret)) continue
      const start = match.index + match[0].lastIndexOf(secret)
      found.push({ start, end: start + secret.length, kind })
    }
  }
  add(SQL, 'password')
  add(NETRC, 'password')
  add(OTP, 'secret')
  for (const header of text.matchAll(COOKIE_HEADER)) {
    const cookies = header.groups?.cookies ?? ''
    const base = header.index + header[0].length - cookies.length
    for (const cookie of cookies.matchAll(COOKIE)) {
      const { name = '', value = '' } = cookie.groups ?? {}
      if (ATTRIBUTE.test(name) || isPlaceholder(value) || /^[$<{[]/.test(value)) continue
      if (
        !SESSION_NAME.test(name) &&
        !(value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value))
      )
        continue
      const start = base + cookie.index + cookie[0].length - value.length
      found.push({ start, end: start + value.length, kind: 'cookie' })
    }
  }
  return found
}

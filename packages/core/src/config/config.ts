import type * as z from 'zod'
import { argumentError } from '../argument-errors.ts'
import type { Environment } from './environment.ts'
import { type Field, fields, type Surroundings } from './fields.ts'

type FieldName = keyof typeof fields
export type Config = Readonly<{ [K in FieldName]: z.output<(typeof fields)[K]['schema']> }>
type SettingOrigin = 'default' | 'file' | 'environment' | 'flag'

export interface Loaded {
  readonly config: Config
  readonly origins: Readonly<Record<FieldName, SettingOrigin>>
}

interface Layers {
  readonly env: Environment
  readonly cwd: string
  /** By flag name, as the command line has them. */
  readonly flags?: Readonly<Record<string, unknown>>
  /** By field name, as the configuration file has them. */
  readonly file?: Readonly<Record<string, unknown>>
}

/** Lists everything that is wrong at once, so that nobody fixes one line at a time. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`Configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

export const fieldNames = Object.keys(fields) as FieldName[]

/** Default < file < environment < flag; parsed once, frozen. */
export function loadConfig(layers: Layers): Loaded {
  const problems: string[] = unknownFileKeys(layers.file)
  const values: Record<string, unknown> = {}
  const origins: Record<string, SettingOrigin> = {}
  for (const name of fieldNames) {
    const field: Field = fields[name]
    const [source, raw] = pick(name, field, layers)
    origins[name] = source
    if (source === 'default') {
      values[name] = fallbackOf(field, layers)
      continue
    }
    const said = label(name, field, source)
    const parsed = field.schema.safeParse(raw, {
      error: (issue) => argumentError({ ...issue, path: [said] }),
    })
    if (parsed.success) values[name] = parsed.data
    else problems.push(problemOf(said, parsed.error.issues[0]?.message ?? 'invalid'))
  }
  if (problems.length === 0) problems.push(...contradictions(values as Config))
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    config: Object.freeze(values) as Config,
    origins: origins as Record<FieldName, SettingOrigin>,
  }
}

function pick(
  name: string,
  field: Field,
  { env, flags = {}, file = {} }: Layers,
): [SettingOrigin, unknown] {
  const flag = field.flag === undefined ? undefined : flags[camelCase(field.flag)]
  if (flag !== undefined) return ['flag', flag]
  const variable = env[field.env]
  // An empty variable counts as unset, unless the empty string is a value of its own.
  if (variable !== undefined && (variable !== '' || field.mayBeEmpty))
    return ['environment', variable]
  if (file[name] !== undefined) return ['file', file[name]]
  return ['default', undefined]
}

function fallbackOf(field: Field, around: Surroundings): unknown {
  return typeof field.fallback === 'function' ? field.fallback(around) : field.fallback
}

function label(name: string, field: Field, source: SettingOrigin): string {
  if (source === 'flag') return `--${field.flag}`
  return source === 'environment' ? field.env : `${name} in the configuration file`
}

function problemOf(name: string, message: string): string {
  return message.startsWith(name) ? message : `${name}: ${message}`
}

function unknownFileKeys(file: Layers['file']): string[] {
  return Object.keys(file ?? {})
    .filter((key) => !(key in fields))
    .map((key) => `${key.slice(0, 80)} in the configuration file: no such setting`)
}

function camelCase(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Settings that are fine alone and unsafe together. */
function contradictions(config: Config): string[] {
  const { auth, oidcIssuer, oidcAudience } = config
  const problems: string[] = []
  // Without an audience, a token that the provider made for any other program would open this one.
  if (oidcIssuer && !oidcAudience)
    problems.push('SECRETARY_OIDC_ISSUER: requires SECRETARY_OIDC_AUDIENCE as well')
  const reached = auth === 'off' ? reachedFromOutside(config) : undefined
  if (reached)
    problems.push(
      `SECRETARY_AUTH: may be off only on loopback, and ${reached} lets other machines in`,
    )
  return problems
}

function reachedFromOutside(config: Config): string | undefined {
  const { host, allowedHosts, allowedOrigins, publicUrl } = config
  if (!isLoopback(host)) return 'SECRETARY_HOST'
  if (allowedHosts.length > 0) return 'SECRETARY_ALLOWED_HOSTS'
  if (allowedOrigins.length > 0) return 'SECRETARY_ALLOWED_ORIGINS'
  return publicUrl && !isLoopback(new URL(publicUrl).hostname) ? 'SECRETARY_PUBLIC_URL' : undefined
}

const LOOPBACK = new Set(['localhost', '::1', '[::1]'])

export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host.toLowerCase()) || /^127(\.\d{1,3}){3}$/.test(host)
}

/** Host name without the port; undefined where it is malformed. */
export function hostNameOf(header: string): string | undefined {
  try {
    return new URL(`http://${header}`).hostname
  } catch {
    return undefined
  }
}

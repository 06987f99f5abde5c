import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Listing } from '@secretary-mcp/core/catalogue.ts'
import { fieldNames, loadConfig } from '@secretary-mcp/core/config/config.ts'
import { type Field, fields } from '@secretary-mcp/core/config/fields.ts'
import { countTokenCosts } from '@secretary-mcp/core/count-tokens.ts'
import { plainWords } from '@secretary-mcp/core/json-schema.ts'
import { silentLog } from '@secretary-mcp/core/log.ts'
import type { TokenCost } from '@secretary-mcp/core/token-cost.ts'
import type { Tool } from '@secretary-mcp/core/tool.ts'
import { createApp } from '@secretary-mcp/secretary/app/app.ts'
import { openApiOf } from '@secretary-mcp/secretary/serve/api/mount-routes.ts'
import { apiRoutes } from '@secretary-mcp/secretary/serve/api/routes.ts'
import { offers } from '@secretary-mcp/secretary/toolsets.ts'
import { version } from '@secretary-mcp/secretary/version.ts'
import wabt from 'wabt'
import manifest from '../package.json' with { type: 'json' }
import { installTable } from './packaging/install-table.ts'
import { packageFacts } from './packaging/package-facts.ts'
import { packagingFiles } from './packaging/packaging-files.ts'

const FAMILIES: Readonly<Record<string, string>> = {
  dialogs: 'Dialogs: what the person asked',
  guide: 'Guide: the rules of the project',
  context: 'Context: what the project knows',
  tasks: 'Tasks: what is left to do',
}

interface Documented {
  readonly tool: Tool
  readonly listing: Listing
  readonly cost: TokenCost
}

/** Everything in the repository that is made from the one definition: path → text. A test holds them up to date. */
export async function generatedFiles(root: string): Promise<Map<string, string>> {
  const { config } = loadConfig({ env: { SECRETARY_ALLOW_ANY_PROJECT: 'on' }, cwd: root })
  const app = await createApp(config, silentLog)
  const compact = app.listings('compact')
  const costs = countTokenCosts({ full: app.listings('full'), compact })
  const documented = [...app.tools.values()].map(({ tool }, place) => ({
    tool,
    listing: compact[place] as Listing,
    cost: costs[place] as TokenCost,
  }))
  const openApi = openApiOf(apiRoutes(app))
  await app.close()
  const facts = packageFacts(manifest, compact)
  const page = (path: string) => readFileSync(join(root, path), 'utf8')
  return new Map([
    ['docs/tools.md', toolsPage(documented)],
    ['docs/configuration.md', configurationPage()],
    ['docs/openapi.json', `${JSON.stringify(openApi, null, 2)}\n`],
    ['.env.example', environmentExample()],
    ['apps/vscode/package.json', await extensionManifest(root)],
    ['packages/search/src/vectors/vector-products.wasm.ts', await vectorProducts(root)],
    ...packagingFiles(facts),
    ['README.md', between(page('README.md'), 'agents', shortAgentsTable())],
    ['docs/agents.md', between(page('docs/agents.md'), 'agents', agentsTable())],
    ['docs/releasing.md', between(page('docs/releasing.md'), 'install', installTable(facts))],
  ])
}

/** People read undecorated names in the guide family: there the prefix is a matter of the installation. */
function shownName({ tool, listing }: Documented): string {
  return tool.prefix === undefined ? tool.name : listing.name
}

/** The instructions are few, so they travel inside the bundle. */
async function vectorProducts(root: string): Promise<string> {
  const { parseWat } = await wabt()
  const text = readFileSync(join(root, 'packages/search/src/vectors/vector-products.wat'), 'utf8')
  const { buffer } = parseWat('vector-products.wat', text, { simd: true }).toBinary({})
  return `// Made from vector-products.wat by \`npm run generate\`; do not edit.
export const VECTOR_PRODUCTS =
  '${Buffer.from(buffer).toString('base64')}'
`
}

function toolsPage(documented: readonly Documented[]): string {
  const mean = (key: 'full' | 'compact') =>
    Math.round(documented.reduce((sum, { cost }) => sum + cost[key], 0) / documented.length)
  const families = Object.entries(FAMILIES).map(([family, heading]) => {
    const own = documented.filter(({ tool }) => tool.family === family)
    return own.length === 0 ? '' : `## ${heading}\n\n${own.map(toolSection).join('\n\n')}`
  })
  return `${[
    '# Tools',
    'Generated from the definitions by `npm run generate`; do not edit.',
    `${documented.length} tools. On average one costs a client ${mean('full')} tokens in the profile \`full\` and ${mean('compact')} in \`compact\` (o200k over name, description and schema).`,
    toolsetTable(documented),
    ...families.filter(Boolean),
  ].join('\n\n')}\n`
}

/** What each choice of SECRETARY_TOOLS costs in every conversation. */
function toolsetTable(documented: readonly Documented[]): string {
  const sets = ['core', 'all', ...Object.keys(FAMILIES)]
  const rows = sets.map((name) => {
    const offered = documented.filter(({ tool }) => offers([name])(tool))
    const sum = (key: 'full' | 'compact') =>
      String(offered.reduce((total, { cost }) => total + cost[key], 0))
    return [`\`${name}\``, String(offered.length), sum('compact'), sum('full')]
  })
  return `\`SECRETARY_TOOLS\` chooses what an agent is offered: a toolset, families, names, or several of them. \`init\` writes \`core\`.\n\n${table(['toolset', 'tools', 'tokens, compact', 'tokens, full'], rows)}`
}

function toolSection(documented: Documented): string {
  const { tool, cost } = documented
  const examples = tool.examples.map(({ args, shows }) => `- \`${JSON.stringify(args)}\`: ${shows}`)
  return [
    `### \`${shownName(documented)}\``,
    tool.description,
    `Effect: ${tool.effect}. Tokens: ${cost.full} full, ${cost.compact} compact.${tool.limitPerMinute ? ` At most ${tool.limitPerMinute} calls a minute for each user.` : ''}`,
    plainWords(tool.arguments.toSchemaMarkdown()),
    ...(examples.length > 0 ? [`Examples:\n\n${examples.join('\n')}`] : []),
  ].join('\n\n')
}

function settings(): { field: Field; fallback: string }[] {
  return fieldNames.map((name) => {
    const field: Field = fields[name]
    const fallback =
      field.fallbackText ??
      (field.fallback === undefined || field.fallback === '' ? '' : String(field.fallback))
    return { field, fallback }
  })
}

function configurationTable(): string {
  const rows = settings().map(
    ({ field, fallback }) =>
      `| \`${field.env}\` | ${field.flag ? `\`--${field.flag}\`` : ''} | ${fallback} | ${field.describe}${field.secret ? ' (secret)' : ''} |`,
  )
  return ['| variable | flag | default | what it is |', '|---|---|---|---|', ...rows].join('\n')
}

function configurationPage(): string {
  return `# Configuration

Generated from the definitions by \`npm run generate\`; do not edit.

A flag overrides a variable, a variable overrides \`config.json\` in SECRETARY_HOME (keys in camelCase, as \`secretary config\` shows them), and that beats the default. \`secretary config\` shows every value and where it comes from.

${configurationTable()}
`
}

function environmentExample(): string {
  return `${settings()
    .map(({ field, fallback }) => `# ${field.describe}\n# ${field.env}=${fallback}`)
    .join('\n')}\n`
}

/** Hand-written but for what the tools' definitions and the house's version say. */
async function extensionManifest(root: string): Promise<string> {
  // Importing a tool declares it: the app goes first, so that the order of the catalogue stays its own.
  const { languageModelTools, toolActivationEvents } = await import(
    '../apps/vscode/src/tools/language-model-tools.ts'
  )
  const manifest = JSON.parse(readFileSync(join(root, 'apps/vscode/package.json'), 'utf8')) as {
    contributes: object
  }
  const contributes = { ...manifest.contributes, languageModelTools: languageModelTools() }
  return `${JSON.stringify({ ...manifest, version, activationEvents: toolActivationEvents(), contributes }, null, 2)}\n`
}

interface ProvenAgent {
  readonly id: string
  readonly label: string
  readonly version: string
  readonly proven: readonly string[]
}

/** What `npm run test:agents -- --write` proved with each agent. */
function provenAgents(): ProvenAgent[] {
  const proofs: Record<string, Pick<ProvenAgent, 'version' | 'proven'>> = readJson(
    'docs/agents.json',
  )
  const labels: Record<string, { label: string }> = readJson('test/agents/versions.json').agents
  return Object.entries(labels).map(([id, { label }]) => {
    const { version, proven } = proofs[id] ?? { version: '', proven: [] }
    return { id, label, version, proven }
  })
}

function shortAgentsTable(): string {
  const rows = provenAgents().map(({ label, proven }) => {
    const has = (proof: string) => proven.includes(proof)
    const told = [
      ...(has('start') ? ['at the start'] : []),
      ...(has('compaction') ? ['after a compaction'] : []),
    ]
    const gets = [
      ...(has('words') ? ['your requests'] : []),
      ...(has('deeds') ? ['its work'] : []),
      ...(has('tools') ? ['tools'] : []),
    ]
    return [label, gets.join(', '), told.join(' and ') || '–']
  })
  return table(['agent', 'Secretary reads and gives', 'recall by itself'], rows)
}

/** All proofs, and what does not work, with its reason. */
function agentsTable(): string {
  const limits: Record<string, { why: string }[]> = readJson('test/agents/limits.json')
  const reasons = (id: string) => (limits[id] ?? []).map(({ why }) => why).join(' ')
  const rows = provenAgents().map(({ id, label, version, proven }) => [
    label,
    version,
    ...COLUMNS.map(([proof]) => (proven.includes(proof) ? '✓' : '')),
    reasons(id),
  ])
  const heads = ['agent', 'version', ...COLUMNS.map(([, head]) => head), 'note']
  return `${table(heads, rows)}\n\n${reasons('*')}`
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

const COLUMNS = [
  ['tools', 'tools'],
  ['together', 'beside another agent'],
  ['twice', 'two at once'],
  ['plugin', 'plugin'],
  ['words', 'requests word for word'],
  ['resume', 'resuming'],
  ['deeds', 'deeds'],
  ['helper', 'subagents'],
  ['start', 'recall at start'],
  ['compacted', 'requests through a compaction'],
  ['compaction', 'recall after a compaction'],
  ['edits', 'notes before an edit'],
  ['steering', 'steering'],
  ['interrupt', 'interrupts'],
] as const

function between(text: string, name: string, replacement: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`A document lost its place for ${name}`)
  return `${text.slice(0, from + start.length)}\n${replacement}\n${text.slice(to)}`
}

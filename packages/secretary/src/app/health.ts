import type { HealthCheck } from '@secretary-mcp/core/health-check.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { Context } from '../context/context.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'

const HOW_TO_INDEX = '`secretary index` builds it; the first search does so too.'

/** Whether the project can be searched, and how far its index has come. */
export function indexHealth(context: Context, caller: Caller): HealthCheck {
  return {
    name: 'search index',
    async repair() {
      const engine = await context.engineOf(caller.project)
      await engine.index({})
      const { files } = await engine.status()
      return `indexed ${files} files`
    },
    async run() {
      const engine = await context.engineOf(caller.project)
      const { state, files, chunks, embedded, problem, isInMemory, ...more } = await engine.status()
      const { noteEmbedder, noteEmbedderProblem } = more
      const vectors = chunks > 0 ? `, ${Math.round(embedded * 100)}% with vectors` : ''
      const model = noteEmbedder ? `; notes are compared by ${noteEmbedder}` : ''
      const detail = `${files} files, ${chunks} chunks${vectors}${model}`
      if (isInMemory)
        return {
          state: 'warning',
          detail: `cannot be written to disk, so every server builds its own in memory (${detail})`,
          fix: 'Make room, and give yourself write permission on SECRETARY_HOME; then start again.',
        }
      if (noteEmbedderProblem)
        return {
          state: 'warning',
          detail: `${noteEmbedderProblem}; notes are compared by the built-in vectors (${detail})`,
          fix: 'Install the package again, or remove it; the log says what is wrong.',
        }
      if (problem)
        return {
          state: 'warning',
          detail: `incomplete: ${problem} (${detail})`,
          fix: '`secretary index` tries again and shows what is wrong.',
        }
      if (state === 'empty')
        return { state: 'warning', detail: 'nothing is indexed yet', fix: HOW_TO_INDEX }
      if (state === 'building')
        return {
          state: 'warning',
          detail: chunks > 0 ? `being built: ${detail}` : 'being built',
          fix: 'Until then, search matches words only.',
        }
      return { state: 'ok', detail }
    },
  }
}

/** How many dialogs were found on this machine, and which files could not be read. */
export function dialogHealth(dialogs: Dialogs, caller: Caller): HealthCheck {
  return {
    name: 'dialogs',
    isPrivate: true,
    async run() {
      const { value } = await dialogs.listDialogs(
        caller,
        { everywhere: true, limit: 1, offset: 0 },
        new AbortController().signal,
      )
      const { detail, places } = dialogDetail(value?.total ?? 0, dialogs.index)
      const leftOut = await leftOutOf(dialogs)
      if (leftOut.count === 0) return { state: 'ok', detail, places }
      const { count, examples } = leftOut
      return {
        state: 'warning',
        detail: `${detail}; could not be read: ${count} ${count === 1 ? 'part' : 'parts'} of dialogs, such as ${examples.join('; ')}`,
        fix: 'The other dialogs work; look into it only if one is missing.',
        places,
      }
    },
  }
}

const MAX_EXAMPLES = 3

/** What is stored with the dialogs, and what this process met itself. */
async function leftOutOf({ index, store }: Dialogs) {
  const files = await store.leftOut()
  const known = files.map(({ path, parts, why }) => ({ parts, text: `${path}: ${why}` }))
  const own = index.warnings.filter(
    (text) => !files.some(({ path }) => text.startsWith(`${path}: `)),
  )
  const all = [...known, ...own.map((text) => ({ parts: 1, text }))]
  return {
    count: all.reduce((sum, { parts }) => sum + parts, 0),
    examples: all.slice(0, MAX_EXAMPLES).map(({ text }) => text),
  }
}

function dialogDetail(
  total: number,
  { sources, paths }: Dialogs['index'],
): { detail: string; places: string[] } {
  const places = sources.map(({ name, roots }) => ({
    source: name,
    roots,
    found: paths.filter((path) => roots.some((root) => path.startsWith(root))).length,
  }))
  const inUse = places.filter(({ found }) => found > 0)
  const looked = places.flatMap(({ roots }) => roots)
  if (inUse.length === 0) return { detail: 'none found on this machine yet', places: looked }
  const listed = inUse.map(({ source, found }) => `${found} from ${source}`)
  return { detail: `${total} on this machine: ${listed.join(', ')}`, places: looked }
}

// Counts the source files whose functions run for one call, the queries it makes, and the modules that a hook loads.
// `npm run walk` prints them; `-- --files TOOL` names the files.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { SERVER_BUNDLE } from './server-bundle.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Each module of a bundle that is not minified begins with its path. */
const MODULE = /^\s*\/\/ (\S+\.(?:ts|js|mjs|cjs|json))$/gm

export async function walk() {
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'dist/.walk-'))
  try {
    const { metafile } = await build({
      ...SERVER_BUNDLE,
      alias: { ...SERVER_BUNDLE.alias, '@photostructure/sqlite': './scripts/counted-sqlite.ts' },
      absWorkingDir: ROOT,
      entryPoints: {
        secretary: 'packages/secretary/src/main.ts',
        walk: 'scripts/walk-calls.ts',
        'index-worker': 'packages/secretary/src/index-worker.ts',
      },
      outdir: folder,
    })
    const { walkCalls, furnish } = await import(pathToFileURL(join(folder, 'walk.js')).href)
    const home = furnish(join(folder, 'machine'))
    const walks = await walkCalls(home)
    const here = pathToFileURL(folder).href
    const calls = walks.map(({ name, queries, scripts }) => ({
      name,
      queries,
      files: filesRun(scripts.filter(({ url }) => url.startsWith(here))),
    }))
    return {
      calls: [...new Set(calls.map(({ name }) => name))].map((name) =>
        calls
          .filter((call) => call.name === name)
          .reduce((one, other) => (other.files.length < one.files.length ? other : one)),
      ),
      hook: hookModules(folder, home, metafile),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function filesRun(scripts) {
  const files = new Set()
  for (const { url, functions } of scripts) {
    const modules = [...readFileSync(fileURLToPath(url), 'utf8').matchAll(MODULE)]
    for (const { ranges } of functions) {
      const [{ startOffset, count }] = ranges
      if (count === 0 || startOffset === 0) continue
      const file = modules.findLast(({ index }) => index < startOffset)?.[1]
      if (file?.startsWith('packages/')) files.add(file)
    }
  }
  return [...files].sort()
}

/** The modules of the chunks that the recall hook loads. */
function hookModules(folder, home, metafile) {
  const coverage = join(folder, 'coverage')
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(folder, 'secretary.js'), 'recall', '--hook'],
    {
      cwd: home.project,
      env: {
        ...home.env,
        PATH: process.env.PATH,
        NODE_V8_COVERAGE: coverage,
        SECRETARY_HOOK_SECONDS: '60',
      },
      input: JSON.stringify({ session_id: 'walk', cwd: home.project, source: 'compact' }),
      encoding: 'utf8',
    },
  )
  if (!stdout.includes('additionalContext'))
    throw new Error(`the hook failed (${status}): ${stderr}`)
  const loaded = new Set()
  for (const name of readdirSync(coverage)) {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8'))
    for (const { url } of result)
      if (url.startsWith('file:')) loaded.add(relative(ROOT, fileURLToPath(url)))
  }
  const modules = new Set()
  for (const path of loaded) {
    const output = metafile.outputs[path]
    if (!output) modules.add(path)
    for (const [input, { bytesInOutput }] of Object.entries(output?.inputs ?? {}))
      if (bytesInOutput > 0) modules.add(input)
  }
  return [...modules].sort()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { calls, hook } = await walk()
  const ours = hook.filter((path) => path.startsWith('packages/'))
  const wanted = process.argv.includes('--files') ? process.argv.at(-1) : undefined
  const show = (name, figures, lines) => {
    console.log(`${name.padEnd(16)}${figures}`)
    if (wanted === name) console.log(lines.map((line) => `    ${line}`).join('\n'))
  }
  if (process.argv.includes('--json')) console.log(JSON.stringify({ calls, hook: ours }))
  else {
    for (const { name, files, queries } of calls)
      show(name, `${files.length} files, ${queries.length} queries`, [...files, ...queries])
    show('hook', `${ours.length} modules, ${hook.length} with those of the registry`, hook)
  }
}

// npm run bench [-- NAME …]: every comparison, or those that are named, written to bench/results.md as they were seen.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { house } from './house.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const all = { house }
for (const file of readdirSync(join(root, 'bench')).filter((name) =>
  /^(attack|replicas|context|dialogs|guide|chat|page|notes|pack|scale|size|team-search)\.mjs$/.test(
    name,
  ),
)) {
  const name = file.replace('.mjs', '')
  const measure = name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  all[name] = async (...args) => (await import(`./${file}`))[measure](...args)
}
const results = join(root, 'bench', 'results.md')
const wanted = process.argv.slice(2)
const measured = new Map()
for (const [name, measure] of Object.entries(all)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const [load = 0] = loadavg()
  const failed = (error) => ({ title: name, header: ['did not run'], rows: [[error.message]] })
  const { title, header, rows, notes = [] } = await measure(root).catch(failed)
  const table = [
    `| ${header.join(' | ')} |`,
    `|${header.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ]
  const text = [`## ${title}`, table.join('\n'), ...notes, loadNote(load)].join('\n\n')
  measured.set(name, text)
  console.log(`\n${text}`)
}
const machine = `Node ${process.version}, ${cpus().length} cores of ${cpus()[0]?.model.trim()}, ${process.platform} ${release()}.`
// What others left meanwhile stays, and so do comparisons that need a tree of their own and are run by hand.
const sections = new Map([...readSections(), ...measured])
const parts = [...new Set([...Object.keys(all), ...sections.keys()])]
  .filter((name) => sections.has(name))
  .map((name) => `<!-- ${name} -->\n${sections.get(name)}`)
writeFileSync(
  results,
  `# Results\n\n${machine} A section is one run; a ratio compares two figures of the same run.\n\n${parts.join('\n\n')}\n`,
)

/** Others at work on the machine are part of a figure. */
function loadNote(load) {
  const quiet = load < 1 ? 'quiet' : 'not quiet'
  return `The machine was ${quiet}: load ${load.toFixed(1)} when this began.`
}

/** What earlier runs left, by name: a run of one comparison keeps the others. */
function readSections() {
  if (!existsSync(results)) return new Map()
  const [, ...found] = readFileSync(results, 'utf8').split(/^<!-- ([\w-]+) -->\n/m)
  return new Map(
    found.flatMap((name, place) =>
      place % 2 === 0 ? [[name, found[place + 1]?.trim() ?? '']] : [],
    ),
  )
}

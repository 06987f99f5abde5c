// npm run bench [-- NAME …]: every comparison in one run, written to bench/results.md as it was seen.
import { readdirSync, writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { house } from './house.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const all = { house }
for (const file of readdirSync(join(root, 'bench')).filter((name) =>
  /^(context|dialogs|guide|chat|page|notes)\.mjs$/.test(name),
)) {
  const name = file.replace('.mjs', '')
  all[name] = async (...args) => (await import(`./${file}`))[name](...args)
}
const wanted = process.argv.slice(2)
const parts = []
for (const [name, measure] of Object.entries(all)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const { title, header, rows, notes = [] } = await measure(root)
  const table = [
    `| ${header.join(' | ')} |`,
    `|${header.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ]
  parts.push([`## ${title}`, table.join('\n'), ...notes].join('\n\n'))
  console.log(`\n${parts.at(-1)}`)
}
if (wanted.length === 0) {
  const machine = `Node ${process.version}, ${cpus().length} cores of ${cpus()[0]?.model.trim()}, ${process.platform} ${release()}.`
  writeFileSync(
    join(root, 'bench', 'results.md'),
    `# Results of the last full run\n\n${machine} A ratio compares two figures of the same run.\n\n${parts.join('\n\n')}\n`,
  )
}

// Scores the built binary through a real MCP client with the shared runner: the figures that count.
//   npm run build && node bench/search/through-mcp.mjs [--data ../shared/bench/search] [--corpora ../corpora] [--only gin]
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values: opt } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/bench/search' },
    corpora: { type: 'string', default: '../corpora' },
    only: { type: 'string' },
  },
})
const args = [
  join(opt.data, 'score.mjs'),
  '--data',
  opt.data,
  '--corpora',
  opt.corpora,
  '--bin',
  'dist/secretary.js',
]
process.exitCode =
  spawnSync(process.execPath, [...args, ...(opt.only ? ['--only', opt.only] : [])], {
    stdio: 'inherit',
  }).status ?? 1

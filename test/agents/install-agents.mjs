// Installs the real agents for the tests, once, into a cache outside the repository: a folder for each version, and a Node
// of their own, because several need a newer one than Secretary does.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const { node, agents } = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'))
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'secretary-agents')
const nodeFolder = join(cache, `node-${node}`)

export const agentIds = Object.keys(agents)
export const nodeBin = join(nodeFolder, 'node_modules', 'node', 'bin')

const folderOf = (id) => join(cache, `${id}-${agents[id].version}`)
/** Where an agent's program is, once it is installed. */
export const binOf = (id) => join(folderOf(id), 'node_modules', '.bin')
export const programOf = (id) => join(binOf(id), agents[id].program)
export const versionOf = (id) => agents[id].version

/** Installs an agent. Says why where it cannot be had; throws where it can be had and does not install. */
export function installAgent(id) {
  if (!existsSync(nodeBin)) installInto(nodeFolder, 'node', node)
  if (existsSync(programOf(id))) return undefined
  const { package: name, version } = agents[id]
  try {
    installInto(folderOf(id), name, version)
  } catch (error) {
    const seen = npm(['view', `${name}@${version}`, 'version'])
    if (seen.stdout.trim() === '') return `the registry does not offer ${name}@${version}`
    throw error
  }
}

function installInto(folder, name, version) {
  // Installed under another name first: an interrupted run must not look finished.
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const manifest = {
    private: true,
    dependencies: { [name]: version },
    allowScripts: { [name]: true },
  }
  writeFileSync(join(unfinished, 'package.json'), JSON.stringify(manifest))
  const { status, stderr } = npm(['install', '--no-audit', '--no-fund', '--prefix', unfinished])
  if (status !== 0)
    throw new Error(`npm could not install ${name}@${version}: ${stderr.slice(-500)}`)
  renameSync(unfinished, folder)
}

function npm(args) {
  return spawnSync('npm', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutNpm(process.env), PATH: [nodeBin, process.env.PATH].join(delimiter) },
  })
}

/** What npm tells its scripts of itself would be taken for the npm that installs here. */
function withoutNpm(env) {
  const kept = Object.entries(env).filter(
    ([name]) => !/^npm_/.test(name) || /^npm_config_(registry|cache)$/.test(name),
  )
  return Object.fromEntries(kept)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const id of process.argv.slice(2).length > 0 ? process.argv.slice(2) : agentIds) {
    const started = performance.now()
    const missing = installAgent(id)
    const took = Math.round((performance.now() - started) / 1000)
    console.log(missing ? `${id}: ${missing}` : `${id}: ${dirname(binOf(id))} (${took} s)`)
  }
}

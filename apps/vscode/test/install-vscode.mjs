// Installs a real VS Code for the tests, once, into a cache outside the repository: code-server with a Node of its own,
// made as strict about proposed interfaces as the desktop is. Every step is left out where its result is already there.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE = '24.21.0'
const CODE_SERVER = '4.139.1'
const browsers = JSON.parse(
  readFileSync(new URL('../../../test/support/browser-places.json', import.meta.url), 'utf8'),
)
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'secretary-vscode')
const nodeFolder = join(cache, 'node24')
const codeFolder = join(cache, `code-server-${CODE_SERVER}`)

/** Paths of the programs that the tests start. */
export const vscode = {
  node: join(nodeFolder, 'node_modules', 'node', 'bin', 'node'),
  server: join(codeFolder, 'node_modules', 'code-server', 'out', 'node', 'entry.js'),
  chromium:
    [process.env.CHROMIUM_PATH, ...browsers].find((path) => path && existsSync(path)) ??
    browsers[0],
}

export function isVscodeInstalled() {
  return existsSync(vscode.node) && existsSync(vscode.server)
}

export function installVscode() {
  if (!existsSync(vscode.node)) npmInstall(nodeFolder, { node: NODE }, process.env.PATH)
  if (existsSync(vscode.server)) return vscode
  // Installed under another name first: an interrupted run must not look finished.
  const unfinished = `${codeFolder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  npmInstall(
    unfinished,
    { 'code-server': CODE_SERVER },
    `${dirname(vscode.node)}${delimiter}${process.env.PATH}`,
  )
  makeStrict(join(unfinished, 'node_modules', 'code-server', 'lib', 'vscode', 'out'))
  renameSync(unfinished, codeFolder)
  return vscode
}

function npmInstall(folder, dependencies, path) {
  mkdirSync(folder, { recursive: true })
  const allowScripts = Object.fromEntries(Object.keys(dependencies).map((name) => [name, true]))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies, allowScripts }),
  )
  run(['npm', 'install', '--silent', '--no-audit', '--no-fund', '--prefix', folder], { PATH: path })
}

/**
 * code-server lets every extension use every proposed interface, and with them names that are reserved on the desktop.
 * Its always-true check stands just before the message that the desktop would give; here it asks the manifest again.
 */
function makeStrict(out) {
  for (const name of [
    'vs/workbench/api/node/extensionHostProcess.js',
    'vs/workbench/api/worker/extensionHostWorkerMain.js',
    'vs/code/browser/workbench/workbench.js',
  ]) {
    const path = join(out, name)
    const code = readFileSync(path, 'utf8')
    const message = code.indexOf('CANNOT use API proposal')
    const before = code.slice(Math.max(0, message - 1000), message)
    const check = [...before.matchAll(/function ([\w$]+)\(([\w$]+),([\w$]+)\)\{return!0\}/g)].at(-1)
    if (!check || code.split(check[0]).length !== 2)
      throw new Error(`${name}: code-server's check of proposals was not found`)
    const [whole, fn, extension, proposal] = check
    const strict = `function ${fn}(${extension},${proposal}){return(${extension}.enabledApiProposals||[]).includes(${proposal})}`
    writeFileSync(
      path,
      code.replace(whole, () => strict),
    )
  }
}

/** What npm tells its scripts of itself would be taken for the npm that installs here: code-server refuses to by its name. */
function withoutNpm(env) {
  const kept = Object.entries(env).filter(
    ([name]) =>
      !/^npm_/.test(name) || name === 'npm_config_registry' || name === 'npm_config_cache',
  )
  return Object.fromEntries(kept)
}

function run([command, ...args], env = {}) {
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...withoutNpm(process.env), ...env },
  })
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const started = performance.now()
  installVscode()
  console.log(
    `VS Code for the tests is in ${cache} (${Math.round((performance.now() - started) / 1000)} s)`,
  )
}

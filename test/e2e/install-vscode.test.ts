import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const installer = fileURLToPath(
  new URL('../../apps/vscode/test/install-vscode.mjs', import.meta.url),
)
/** What `npm run` tells its scripts of itself, as npm 10 on Node 20 does. */
const OF_NPM = {
  npm_config_user_agent: 'npm/10.8.2 node/v20.19.0 linux x64 workspaces/false',
  npm_config_node_version: '20.19.0',
  npm_config_local_prefix: '/somewhere',
  npm_config_ignore_scripts: 'true',
  npm_node_execpath: '/usr/bin/node',
  npm_execpath: '/usr/lib/node_modules/npm/bin/npm-cli.js',
  npm_command: 'run-script',
  npm_lifecycle_event: 'test:vscode',
  npm_package_json: '/somewhere/package.json',
}
/** Where packages come from and are kept is the person's own. */
const OF_PERSON = {
  npm_config_registry: 'https://registry.example/',
  npm_config_cache: '/var/cache/npm',
}

/** Stands where npm is: writes down what it was given, and leaves the files that the installer looks for. */
const NPM = `#!${process.execPath}
const fs = require('node:fs')
const { join } = require('node:path')
const folder = process.argv.at(-1)
const { dependencies } = JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8'))
const [name] = Object.keys(dependencies)
fs.writeFileSync(join(process.env.SEEN, name + '.json'), JSON.stringify(process.env))
const put = (path, text) => {
  fs.mkdirSync(join(path, '..'), { recursive: true })
  fs.writeFileSync(path, text)
}
const inside = join(folder, 'node_modules', name)
if (name === 'node') put(join(inside, 'bin', 'node'), '')
else {
  put(join(inside, 'out', 'node', 'entry.js'), '')
  for (const path of [
    'vs/workbench/api/node/extensionHostProcess.js',
    'vs/workbench/api/worker/extensionHostWorkerMain.js',
    'vs/code/browser/workbench/workbench.js',
  ])
    put(join(inside, 'lib/vscode/out', path), 'function a(b,c){return!0}"CANNOT use API proposal"')
}
`

describe('VS Code for the tests', () => {
  it('is installed with nothing in the surroundings of what npm says of itself', () => {
    const work = temporaryFolder()
    const [bin, seen, cache] = ['bin', 'seen', 'cache'].map((name) => join(work, name)) as [
      string,
      string,
      string,
    ]
    for (const folder of [bin, seen]) mkdirSync(folder)
    for (const [name, text] of [
      ['npm', NPM],
      ['dpkg', '#!/bin/sh\nexit 0\n'],
    ] as const) {
      writeFileSync(join(bin, name), text)
      chmodSync(join(bin, name), 0o755)
    }
    const PATH = `${bin}${delimiter}/usr/bin${delimiter}/bin`
    const { status, stderr } = spawnSync(process.execPath, [installer], {
      env: { PATH, HOME: work, XDG_CACHE_HOME: cache, SEEN: seen, ...OF_NPM, ...OF_PERSON },
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(readdirSync(seen).sort()).toEqual(['code-server.json', 'node.json'])
    for (const name of readdirSync(seen)) {
      const given = JSON.parse(readFileSync(join(seen, name), 'utf8')) as Record<string, string>
      const ofNpm = Object.entries(given).filter(([key]) => /^npm_/i.test(key))
      expect(Object.fromEntries(ofNpm), name).toEqual(OF_PERSON)
    }
    const { PATH: used = '' } = JSON.parse(readFileSync(join(seen, 'code-server.json'), 'utf8'))
    const node = join(cache, 'secretary-vscode', 'node24', 'node_modules', 'node', 'bin', 'node')
    expect(used.split(delimiter)[0]).toBe(dirname(node))
  })
})

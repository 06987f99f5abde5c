// Installs what the test commands need of the system, on Debian and Ubuntu: `npm run install:programs`. Needs root, or sudo
// without a password.
import { spawnSync } from 'node:child_process'
import { installPgvector } from './install-pgvector.mjs'
import { missingPrograms } from './system-programs.mjs'

const packages = missingPrograms().flatMap(({ debian }) => debian)
if (packages.length > 0) {
  apt('update')
  apt('install', '-y', '--no-install-recommends', ...packages)
}
try {
  installPgvector()
} catch (error) {
  console.log(`pgvector was not installed: ${error.message}`)
}
for (const { name, how } of missingPrograms()) {
  console.log(`${name} is still missing: ${how}`)
  process.exitCode = 1
}

function apt(...args) {
  const root = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const [command, ...rest] = [...root, 'apt-get', '-qq', ...args]
  // Without a run level the packages start no service of their own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const { status, error } = spawnSync(command, rest, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  })
  if (status !== 0)
    console.log(`${command} ${rest.join(' ')}: ${error?.message ?? `exit code ${status}`}`)
}

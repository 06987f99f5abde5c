// Programs of the system that some test commands need. The commands only say what is missing; `npm run install:programs`
// installs it on Debian and Ubuntu, and `.ci/run` calls that.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { isVscodeInstalled } from '../apps/vscode/test/install-vscode.mjs'
import { findProgramsWithVectors } from './find-pgvector.mjs'

const browsers = JSON.parse(
  readFileSync(new URL('../test/support/browser-places.json', import.meta.url), 'utf8'),
)
/** code-server's native parts are compiled with these when it is installed. */
const COMPILED_WITH = ['build-essential', 'libkrb5-dev', 'libsecret-1-dev', 'pkg-config', 'python3']

export const systemPrograms = [
  {
    name: 'Chromium',
    suites: ['page', 'vscode'],
    debian: ['chromium', 'fonts-liberation'],
    how: '`apt-get install chromium fonts-liberation`, or set CHROMIUM_PATH',
    isThere: () => isOnDisk(process.env.CHROMIUM_PATH, ...browsers),
  },
  {
    name: 'PgBouncer',
    suites: ['teams'],
    debian: ['pgbouncer'],
    how: '`apt-get install pgbouncer`, or set PGBOUNCER_PATH',
    isThere: () => isOnDisk(process.env.PGBOUNCER_PATH, '/usr/sbin/pgbouncer'),
  },
  {
    name: 'PostgreSQL with pgvector',
    suites: ['teams'],
    // Not every release has a package: `install-pgvector.mjs` knows what to do.
    debian: [],
    how: '`node scripts/install-pgvector.mjs` on Debian, or set PGVECTOR_PROGRAMS to the folder of its programs',
    isThere: () => findProgramsWithVectors() !== undefined,
  },
  {
    name: 'buildah',
    suites: ['package'],
    debian: ['buildah'],
    how: '`apt-get install buildah`',
    isThere: () => canRun('buildah', '--version'),
  },
  {
    name: 'tmux',
    suites: ['agents'],
    debian: ['tmux'],
    how: '`apt-get install tmux`',
    isThere: () => canRun('tmux', '-V'),
  },
  {
    name: 'what code-server is compiled with',
    suites: ['vscode'],
    debian: COMPILED_WITH,
    how: `\`apt-get install ${COMPILED_WITH.join(' ')}\``,
    // Elsewhere than on Debian the compiler says what it lacks.
    isThere: () =>
      isVscodeInstalled() ||
      !canRun('dpkg', '--version') ||
      COMPILED_WITH.every((name) => canRun('dpkg', '-s', name)),
  },
]

export function missingPrograms() {
  return systemPrograms.filter(({ isThere }) => !isThere())
}

/** Prints what a suite needs and this machine does not have. True if something is missing. */
export function reportMissingPrograms(suite) {
  const missing = missingPrograms().filter(({ suites }) => suites.includes(suite))
  if (missing.length === 0) return false
  for (const { name, how } of missing) console.log(`failed: ${name} is not installed: ${how}`)
  console.log(
    'On Debian and Ubuntu `npm run install:programs` installs what all test commands need, as root or with sudo.',
  )
  return true
}

function isOnDisk(...paths) {
  return paths.some((path) => path && existsSync(path))
}

function canRun(command, ...args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

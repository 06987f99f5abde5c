import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const postgres = ['test/support/postgres-server.ts']
const migrated = ['test/support/migrated-file.ts']
/** Beside their sources, with a database. */
const stores = [
  'packages/*/src/**/store/**/*.test.ts',
  'packages/core/src/sqlite/**/*.test.ts',
  'packages/search/src/index/**/*.test.ts',
  'packages/secretary/src/app/redact-stored.test.ts',
  'packages/secretary/src/context/space-notes/postgres/**/*.test.ts',
  'packages/secretary/src/storage/**/*.test.ts',
  'packages/secretary/src/usage/**/*.test.ts',
]
/** Beside their sources, but for seconds: many rows, machines or files, and text made to be slow. */
const large = [
  'apps/dashboard/src/parts/markdown/slow-text.test.ts',
  'packages/secretary/src/context/discoveries/feed.test.ts',
  'packages/secretary/src/dialogs/keeping/keeping.test.ts',
  'packages/secretary/src/dialogs/many-dialogs.test.ts',
  'packages/search/src/search-engine.test.ts',
  'packages/secretary/src/sync/convergence.test.ts',
  'packages/secretary/src/sync/round.test.ts',
]
/** Beside their sources, but with processes, or with folders that the system watches. */
const processes = [
  'apps/vscode/src/reading/changes-since.test.ts',
  'apps/vscode/src/server/open-page.test.ts',
  'packages/secretary/src/context/grep/endless-rules.test.ts',
  'packages/core/src/files/read-inside.test.ts',
  'packages/core/src/files/read-regular.test.ts',
  'packages/core/src/folder-watch.test.ts',
  'packages/secretary/src/dialogs/carrying/carried-dialogs.test.ts',
  'packages/secretary/src/dialogs/ledger/commits.test.ts',
  'packages/secretary/src/dialogs/why/blame.test.ts',
  'packages/secretary/src/dialogs/why/why.test.ts',
  'packages/search/src/history/history.test.ts',
  'packages/search/src/indexer/watch-project.test.ts',
  'packages/search/src/unfinished-index.test.ts',
  'packages/secretary/src/sync/transports/git-transport.test.ts',
]
/** Several servers, people or machines: minutes of their own. */
const teams = [
  'test/e2e/database-between.test.ts',
  'test/e2e/pgvector.test.ts',
  'test/e2e/replicas.test.ts',
  'test/e2e/replicas-lost.test.ts',
  'test/e2e/requests-in-spaces.test.ts',
  'test/e2e/requests-taken-back.test.ts',
  'test/e2e/silent-postgres.test.ts',
  'test/e2e/space-clones.test.ts',
  'test/e2e/space-notes-property.test.ts',
  'test/e2e/spaces.test.ts',
  'test/e2e/spaces-property.test.ts',
  'test/e2e/sync.test.ts',
]
/** What the contract says of processes: their command line, their flags, HTTP, and folders that the system watches. */
const contractOfProcesses = [
  'test/contract/chat*.test.ts',
  'test/contract/context-cli.test.ts',
  'test/contract/context-pack.test.ts',
  'test/contract/context-surroundings.test.ts',
  'test/contract/dialog-deeds.test.ts',
  'test/contract/guide-trust.test.ts',
  'test/contract/guide-watch.test.ts',
  'test/contract/infrastructure.test.ts',
  'test/contract/log.test.ts',
  'test/contract/no-project.test.ts',
  'test/contract/own-dialog.test.ts',
]
/** Every tool, and the protocol, through a process for each transport. */
const sample = ['test/contract/every-tool.test.ts', 'test/contract/infrastructure.test.ts']
/** Replaces a module of Node's for itself, so it shares its imports with nobody. */
const alone = ['test/e2e/watching.test.ts']
const project = (name: string, include: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include, ...more },
})

/** `npx vitest run --project unit` is the inner loop; docs/testing.md says what is where. */
export default defineConfig({
  test: {
    alias: { vscode: fileURLToPath(new URL('apps/vscode/test/vscode-fake.ts', import.meta.url)) },
    // Only for what hangs: a busy machine must not fail a test.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 150_000 } },
    // Most tests wait for processes of their own; one worker more than this machine's cores keeps them busy.
    maxWorkers: 3,
    // What was transformed once is kept below node_modules, by content.
    experimental: { fsModuleCache: true },
    // No test changes what another imports, so a worker imports each module once.
    isolate: false,
    projects: [
      project('unit', ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts'], {
        exclude: [...stores, ...large, ...processes],
        globalSetup: migrated,
        // Threads start faster than processes, and nothing here changes what a process has but once.
        pool: 'threads',
      }),
      project('large', large),
      project('stores', stores, { exclude: ['**/postgres/**'] }),
      project('repo', ['test/repo/**/*.test.ts']),
      project('contract', ['test/contract/**/*.test.ts'], {
        exclude: contractOfProcesses,
        provide: { inProcess: true },
      }),
      project('sample', sample, { globalSetup: postgres }),
      // The ones below are no part of `npm test`: each has a command of its own.
      project('transports', ['test/contract/**/*.test.ts'], { globalSetup: postgres }),
      project('postgres', stores, { globalSetup: postgres }),
      project('process', ['test/e2e/**/*.test.ts', ...processes], {
        globalSetup: postgres,
        exclude: [...alone, ...teams],
      }),
      project('alone', alone, { isolate: true }),
      project('teams', teams, { globalSetup: postgres }),
      project('commands', ['test/commands/**/*.test.ts']),
      project('page', ['test/page/**/*.test.ts']),
      project('package', ['test/package/**/*.test.ts'], {
        globalSetup: ['test/support/foreign-tools.ts'],
      }),
    ],
  },
})

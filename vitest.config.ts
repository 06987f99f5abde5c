import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    alias: { vscode: fileURLToPath(new URL('apps/vscode/test/vscode-fake.ts', import.meta.url)) },
    // Only for what hangs: a busy machine must not fail a test.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Most tests wait for processes of their own; one worker more than this machine's cores keeps them busy.
    maxWorkers: 3,
    globalSetup: ['test/support/postgres-server.ts'],
  },
})

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    alias: { vscode: fileURLToPath(new URL('apps/vscode/test/vscode-fake.ts', import.meta.url)) },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Most tests wait for processes of their own; one worker more than this machine's cores keeps them busy.
    maxWorkers: 3,
    globalSetup: ['test/support/postgres-server.ts'],
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'apps/dashboard/src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Most tests wait for processes of their own; one worker more than this machine's cores keeps them busy.
    maxWorkers: 3,
    globalSetup: ['test/support/postgres-server.ts'],
  },
})

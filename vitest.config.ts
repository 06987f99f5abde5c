import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'apps/vscode/**/*.test.ts'],
    alias: { vscode: fileURLToPath(new URL('apps/vscode/test/vscode-fake.ts', import.meta.url)) },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/postgres-server.ts'],
  },
})

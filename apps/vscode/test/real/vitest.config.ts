import { defineConfig } from 'vitest/config'

/** Tests in a real VS Code: `npm run test:vscode`. One server serves them all, so they take turns. */
export default defineConfig({
  test: {
    root: new URL('../../../..', import.meta.url).pathname,
    include: ['apps/vscode/test/real/*.real.ts'],
    globalSetup: ['apps/vscode/test/real/start-vscode.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})

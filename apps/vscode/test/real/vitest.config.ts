import { defineConfig } from 'vitest/config'

/** Tests in a real VS Code: `npm run test:vscode`. */
export default defineConfig({
  test: {
    root: new URL('../../../..', import.meta.url).pathname,
    include: ['apps/vscode/test/real/*.real.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
})

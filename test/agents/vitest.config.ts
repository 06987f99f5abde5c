import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'

/** The real agents: `npm run test:agents`. Each is a heavy program, so they take turns. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/agents/*.test.ts'],
    fileParallelism: false,
    // Their homes are on a disk, as people's are.
    env: { TMPDIR: tmpdir() },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
})

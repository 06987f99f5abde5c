import { expect } from 'vitest'
import { PATIENCE_MS } from './waiting.ts'

/** For assertions about what comes by itself, sooner or later. */
export const eventually = <T>(what: () => T | Promise<T>) =>
  expect.poll(what, { timeout: PATIENCE_MS, interval: 200 })

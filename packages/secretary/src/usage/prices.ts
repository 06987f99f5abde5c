import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fullDiskFailure } from '@secretary-mcp/core/files/path-failure.ts'
import * as z from 'zod'

const amount = z.number().min(0).max(1_000_000)
const price = z.object({
  model: z.string().trim().min(1).max(200).describe('A model, or how its name begins'),
  input: amount.describe('For a million tokens'),
  output: amount,
  cacheRead: amount,
  cacheWrite: amount,
})

/** What a person pays for tokens: nobody else knows their contract, so the table starts empty. */
export const priceTable = z.object({
  currency: z.string().trim().max(10).default('USD'),
  prices: z.array(price).max(200),
})
export type PriceTable = z.output<typeof priceTable>

interface Tokens {
  readonly model?: string
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** Undefined if the model has no price. */
export function costOf(tokens: Tokens, { prices }: PriceTable): number | undefined {
  const { model } = tokens
  if (model === undefined) return undefined
  const [found] = prices
    .filter((one) => model.startsWith(one.model))
    .sort((a, b) => b.model.length - a.model.length)
  if (!found) return undefined
  const sum =
    tokens.input * found.input +
    tokens.output * found.output +
    tokens.cacheRead * found.cacheRead +
    tokens.cacheWrite * found.cacheWrite
  return sum / 1_000_000
}

/** The table in a file of its own, which a person may also edit by hand. */
export class PriceFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** An unreadable file prices nothing. */
  read(): PriceTable {
    try {
      return priceTable.parse(JSON.parse(readFileSync(this.#path, 'utf8')))
    } catch {
      return { currency: 'USD', prices: [] }
    }
  }

  write(table: PriceTable): void {
    const draft = `${this.#path}.${randomBytes(8).toString('hex')}`
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
      writeFileSync(draft, `${JSON.stringify(table, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
      renameSync(draft, this.#path)
    } catch (error) {
      throw fullDiskFailure(error)
    } finally {
      rmSync(draft, { force: true })
    }
  }
}

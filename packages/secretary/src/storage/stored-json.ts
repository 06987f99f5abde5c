import type * as z from 'zod'

/** What a row keeps as JSON; undefined where it cannot be read, so that a damaged row costs that row alone. */
export function storedJson<T>(text: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

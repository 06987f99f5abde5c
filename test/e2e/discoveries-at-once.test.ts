import { describe, expect, it } from 'vitest'
import { engines } from '../support/engines.ts'
import { connectStdio } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe.each(engines)('record_discovery from four processes on $name', (engine) => {
  it('keeps each of ten facts once', async () => {
    const env = { ...(await engine.fresh()), SECRETARY_PROJECT: temporaryFolder() }
    const writers = await Promise.all(Array.from({ length: 4 }, () => connectStdio({ env })))
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => `Gadget${i} is kept in drawer${i}`).flatMap((content) =>
        writers.map((writer) => writer.call('record_discovery', { type: 'rule', content })),
      ),
    )
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(10)
    expect(answers.filter(({ body }) => body.merged)).toHaveLength(30)
    await Promise.all(writers.map((writer) => writer.close()))
  })
})

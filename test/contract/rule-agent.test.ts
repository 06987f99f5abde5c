import { describe, expect, it } from 'vitest'
import { openChatWorld, readSentences } from '../support/chat-world.ts'

describe.each(['english', 'russian'] as const)('T10 without a model, in %s', (tongue) => {
  it.each([[`${tongue}-1`], [`${tongue}-2`], [`${tongue}-3`]])(
    'nine of ten sentences have their effect: %s',
    async (name) => {
      const world = await openChatWorld(tongue)
      const sentences = readSentences(name)
      const wrong: string[] = []
      for (const sentence of sentences) {
        const trouble = await world.whatWentWrong(sentence)
        if (trouble) wrong.push(trouble)
      }
      await world.close()
      expect(1 - wrong.length / sentences.length, wrong.join('\n')).toBeGreaterThanOrEqual(0.9)
    },
  )
})

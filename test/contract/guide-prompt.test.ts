import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GuideHouse, guideServers, openHouse } from '../support/guide-house.ts'

for (const server of guideServers) {
  describe(`the guide's prompt over ${server.name}`, () => {
    let house: GuideHouse

    beforeAll(async () => {
      house = await openHouse(server)
    })
    afterAll(() => house.connection.close())

    const ask = async (...args: string[]) => {
      const given = Object.fromEntries(
        args.map((arg, place) => [`arg${(place + 1).toString(16).toUpperCase()}`, arg]),
      )
      const { messages } = await house.connection.client.getPrompt({
        name: 'guide',
        arguments: given,
      })
      const content = messages[0]?.content
      return content?.type === 'text' ? content.text : ''
    }

    it('G7 I17 answers @guide lang/python with the document and its instruction', async () => {
      const text = await ask('lang/python', 'docs/api')
      expect(text).toContain('# Python')
      expect(text).toContain('# API documentation')
      expect(text).toContain('Follow these rules')
    })

    it.each([
      [':help', '@guide lang/python'],
      [':status', 'Rules in force'],
      [':project', 'Categories:'],
      [':flags', '# Flags'],
      [':tasks', 'Open tasks'],
    ])('G7 answers the command %s', async (command, expected) => {
      expect(await ask(command)).toContain(expected)
    })

    it('G7 shows open tasks, and turns a wrong word into a sentence', async () => {
      await house.connection.call('add_task', { title: 'Paint the shed' })
      expect(await ask(':tasks')).toContain('Paint the shed')
      expect(await ask(':nope')).toContain(':status')
      expect(await ask('nowhere')).toContain('There is no collection or category')
    })

    it('G7 I15 documents the prompt as *args with @guide, in four sections, and takes arg1 to argF', async () => {
      const { prompts } = await house.connection.client.listPrompts()
      const prompt = prompts.find((one) => one.name === 'guide')
      expect(prompt?.arguments?.map((one) => one.name)).toEqual(
        [...'123456789ABCDEF'].map((digit) => `arg${digit}`),
      )
      expect(prompt?.arguments?.every((one) => !one.required && one.description)).toBe(true)
      expect(prompt?.description).toMatch(
        /## Description[\s\S]*## Conceptual Schema[\s\S]*\*args[\s\S]*## Usage Instructions[\s\S]*@guide[\s\S]*## Concrete Examples/,
      )
      expect(prompt?.description).not.toMatch(/arg[1-9A-F]/)
    })
  })
}

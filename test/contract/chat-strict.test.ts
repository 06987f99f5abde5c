import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatHouse, openChatHouse, toolResults } from '../support/chat-house.ts'

describe('strict tool schemas', () => {
  let house: ChatHouse
  beforeAll(async () => {
    house = await openChatHouse({ SECRETARY_MODEL_STRICT: 'on', SECRETARY_CHAT_TOOLS: 'all' })
  })
  afterAll(() => house.close())

  it('T8 go to the model where they are wanted, and plain ones where a tool takes what strict mode cannot say', async () => {
    await house.chat('hello')
    const tools = new Map(
      house.mock.asked[0]?.tools?.map(({ function: definition }) => [definition.name, definition]),
    )
    expect(tools.get('add_task')).toMatchObject({
      strict: true,
      parameters: {
        properties: {
          title: { type: 'string' },
          description: { type: ['string', 'null'] },
          completed: { type: ['boolean', 'null'] },
        },
        required: ['title', 'description', 'completed'],
        additionalProperties: false,
      },
    })
    expect(tools.get('guide_set_project_flag')).not.toHaveProperty('strict')
    const strict = [...tools.values()].filter((definition) => 'strict' in definition)
    expect(strict.length).toBeGreaterThan(tools.size / 2)
    expect(JSON.stringify(strict)).not.toMatch(/"(default|minLength|maxLength)":/)
  })

  it('T8 a null that stands for nothing does not reach the tool', async () => {
    const args = { title: 'Strictly', description: null, completed: null }
    house.mock.script({ calls: [{ name: 'add_task', args }] }, (asked) => ({
      say: JSON.stringify(toolResults(asked)),
    }))
    const { message } = await house.chat('add it')
    expect(JSON.parse(message.content)).toMatchObject([
      { success: true, data: { task: { title: 'Strictly', completed: false } } },
    ])
  })

  it('T8 a model that refuses them is asked again with plain ones, now and later', async () => {
    house.mock.script({ status: 400 }, { say: 'Plain, then.' })
    expect((await house.chat('hello')).message.content).toBe('Plain, then.')
    const isStrict = house.mock.asked.map(({ tools }) =>
      JSON.stringify(tools).includes('"strict":true'),
    )
    expect(isStrict).toEqual([true, false])
    house.mock.script({ say: 'Still plain.' })
    await house.chat('hello again')
    expect(JSON.stringify(house.mock.asked[0]?.tools)).not.toContain('"strict":true')
  })
})

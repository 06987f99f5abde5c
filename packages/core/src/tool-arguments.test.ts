import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Family } from './family.ts'
import { Result } from './result.ts'
import { ToolArguments } from './tool-arguments.ts'

const args = new ToolArguments({
  name: z.string().min(1).describe('Whom to greet'),
  times: z.int().min(1).default(1).describe('How often'),
  mode: z.enum(['loud', 'soft']).optional().describe('How'),
  confirm: z.literal('YES').optional().describe('Consent'),
  tags: z.array(z.string()).optional().describe('Labels'),
})

const family = new Family<object>({
  name: 'specimen',
  envelope: (result) => ({ body: result.toJson(), isError: !result.success }),
  outputSchema: (value) => value,
})

const specimen = (name: string) =>
  family.tool({
    name,
    title: name,
    effect: 'read',
    description: 'Greets',
    arguments: args,
    examples: [{ args: { name: 'Ada' }, shows: 'a greeting' }],
    result: z.string(),
    run: () => Result.ok('hi'),
  })

afterEach(() => void ToolArguments.getDeclaredTools())

describe('ToolArguments', () => {
  it('I5 refuses unknown arguments by name', () => {
    expect(args.parse({ name: 'Ada', colour: 'red' })).toMatchObject({
      ok: false,
      issues: [{ message: 'Unknown argument: colour' }],
    })
  })

  it('I5 validates later assignment too', () => {
    const parsed = args.parse({ name: 'Ada' })
    if (!parsed.ok) throw new Error('should parse')
    parsed.value.times = 3
    expect(parsed.value.times).toBe(3)
    expect(() => {
      parsed.value.times = 0
    }).toThrow()
    expect(() => Object.assign(parsed.value, { colour: 'red' })).toThrow('Unknown argument: colour')
    expect(parsed.value.times).toBe(3)
  })

  it('I5 takes missing arguments for an empty object', () => {
    expect(new ToolArguments({}).parse(undefined)).toMatchObject({ ok: true })
  })

  it('I6 describes names, types, need and descriptions, with literals and enums as their values', () => {
    expect(args.toSchemaMarkdown().split('\n')).toEqual([
      '- `name` (string, required): Whom to greet',
      '- `times` (integer, optional, default 1): How often',
      '- `mode` ("loud" | "soft", optional): How',
      '- `confirm` ("YES", optional): Consent',
      '- `tags` (string[], optional): Labels',
    ])
  })

  it('I7 I15 builds one description from the text and the schema, in four labelled sections', () => {
    const text = ToolArguments.buildToolDescription(specimen('describe_me'))
    const places = [
      '## Description\nGreets',
      '## JSON Schema\n```json\n{',
      '## Usage Instructions\n```\ndescribe_me(name, times?',
      '## Concrete Examples\n```\ndescribe_me({"name":"Ada"})  # a greeting',
    ].map((part) => text.indexOf(part))
    expect(places.every((place) => place >= 0)).toBe(true)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(ToolArguments.buildToolDescription(specimen('short_me'), 'compact')).toBe('Greets')
  })

  it('I8 declare adds the tool and returns the very same object', () => {
    const tool = specimen('first')
    ToolArguments.getDeclaredTools()
    expect(ToolArguments.declare(tool)).toBe(tool)
    expect([...ToolArguments.getDeclaredTools().values()]).toEqual([tool])
  })

  it('I9 hands every tool out once, however many ask', async () => {
    for (const name of ['a', 'b', 'c']) specimen(name)
    const takers = await Promise.all(
      Array.from({ length: 20 }, async () => [...ToolArguments.getDeclaredTools().keys()]),
    )
    expect(takers.flat().sort()).toEqual(['specimen/a', 'specimen/b', 'specimen/c'])
    expect(ToolArguments.getDeclaredTools().size).toBe(0)
  })

  it('I9 refuses a tool that is declared twice', () => {
    specimen('twin')
    expect(() => specimen('twin')).toThrow('Tool declared twice: twin')
  })
})

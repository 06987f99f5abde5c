import { expect, it } from 'vitest'
import { engineFor } from '../../../../test/support/search-engine-house.ts'

const IMPORTS = [
  "import { ToolArguments } from '../core/tool-arguments.ts'",
  "import { toolCollection } from '../core/tool-collection.ts'",
  "import { taskFamily } from '../family.ts'",
  "import { toolExamples } from './tool-examples.ts'",
].join('\n')
const BODY = `export const addTask = taskFamily.tool({
  name: 'add_task',
  title: 'Add',
  effect: 'write',
  fields: { title: text, description: longText, completed: yesOrNo, due: day, owner: person },
  examples: [{ title: 'Buy milk' }, { title: 'Call the growers', due: '2026-03-01' }],
  async run({ title, description, completed, due, owner }, { service, caller }) {
    const known = await service.find(caller.user, title)
    if (known) return known
    return service.add(caller.user, { title, description, completed, due, owner })
  },
})`

it('a file is shown by what it does, not by what it imports', async () => {
  const { engine } = await engineFor({
    files: {
      'src/add.ts': `${IMPORTS}\n\n${BODY}\n`,
      'src/mail.ts': 'export function sendMail(to: string) {\n  return to\n}\n',
    },
  })
  await engine.index()
  const { results } = await engine.search({
    query: 'which arguments do the tools of the task family take',
    limit: 5,
  })
  const [first] = results.filter(({ file }) => file === 'src/add.ts')
  expect(first?.content).toContain('export const addTask')
})

it('a file that only passes on what others define is shown as it is', async () => {
  const { engine } = await engineFor({ files: { 'src/tool-arguments.ts': `${IMPORTS}\n` } })
  await engine.index()
  const { results } = await engine.search({ query: 'tool arguments', limit: 5 })
  expect(results[0]).toMatchObject({ file: 'src/tool-arguments.ts', line: 1 })
})

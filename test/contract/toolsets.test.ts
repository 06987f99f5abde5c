import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { transports } from '../support/mcp-client.ts'

const CORE = [
  'add_task',
  'complete_task',
  'context_search',
  'get_first_request',
  'get_request',
  'guide_get_content',
  'how',
  'ledger',
  'list_tasks',
  'recall',
  'record_discovery',
  'search_requests',
  'update_task',
  'why',
]

describe.each(transports)('the tools that are offered over $name', ({ connect }) => {
  const namesWith = async (env: Record<string, string>) => {
    const server = await connect({ env })
    const { tools } = await server.client.listTools()
    await server.close()
    return tools.map(({ name }) => name).sort()
  }

  it('are fourteen in the toolset core, and cost at most 1,500 tokens', async () => {
    const server = await connect({
      env: {
        SECRETARY_TOOLS: 'core',
        SECRETARY_DESCRIPTIONS: 'compact',
        SECRETARY_DIALOG_PREFIX: '',
      },
    })
    const { tools } = await server.client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(CORE)
    const paid = tools.map(({ name, description, inputSchema }) =>
      JSON.stringify({ name, description, input_schema: inputSchema }),
    )
    expect(countTokens(paid.join('\n'))).toBeLessThanOrEqual(1500)
    expect(server.client.getInstructions()).toContain('call recall:')
    const { body } = await server.call('add_task', { title: 'Buy milk' })
    expect(body).toMatchObject({ success: true })
    await server.close()
  })

  it('are all tools by default, and families and names can be chosen', async () => {
    expect(await namesWith({})).toContain('guide_remove_document')
    const chosen = await namesWith({ SECRETARY_TOOLS: 'tasks,why' })
    expect(chosen).toEqual([
      'add_task',
      'complete_task',
      'copilot_chat_secretary_why',
      'delete_task',
      'list_tasks',
      'plan_task',
      'update_task',
    ])
  })

  it('N3 carry the prefix that is chosen for dialogs, and the others keep theirs', async () => {
    const names = await namesWith({ SECRETARY_DIALOG_PREFIX: 'memory' })
    expect(names).toContain('memory_recall')
    expect(names).toContain('add_task')
    expect(names).toContain('guide_get_content')
    expect(names.filter((name) => name.includes('copilot'))).toEqual([])
  })

  it('that are not offered cannot be called either', async () => {
    const server = await connect({ env: { SECRETARY_TOOLS: 'tasks' } })
    const { body, result } = await server.attempt('context_search', { query: 'anything' })
    expect(result.isError).toBe(true)
    expect(body).toMatchObject({ error: 'Unknown tool: context_search' })
    await server.close()
  })
})

import { loadConfig } from '@secretary-mcp/core/config/config.ts'
import { describe, expect, it } from 'vitest'
import { instructions } from './create-server.ts'

const said = (env: Record<string, string>) =>
  instructions(
    loadConfig({ env: { SECRETARY_HOME: '/data', ...env }, cwd: import.meta.dirname }).config,
  )

describe('instructions', () => {
  it('name the tools as this installation does', () => {
    expect(said({})).toContain('copilot_chat_secretary_recall')
    expect(said({})).toContain('guide_get_content')
    expect(said({ MCP_TOOL_PREFIX: 'house' })).toContain('house_get_content')
    expect(said({ MCP_TOOL_PREFIX: '' })).toContain('call get_content')
  })

  it('speak only of the families that are offered', () => {
    expect(said({ SECRETARY_FAMILIES: 'tasks' })).not.toMatch(/recall|get_content|context_search/)
  })
})

import { watch } from 'node:fs'
import { loadConfig } from '@secretary-mcp/core/config/config.ts'
import { createLog } from '@secretary-mcp/core/log.ts'
import { createApp } from '@secretary-mcp/secretary/app/app.ts'
import { listen } from '@secretary-mcp/secretary/serve/listen.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isolatedEnvironment } from '../support/mcp-client.ts'
import { FILES, makeProject } from '../support/shop-project.ts'

// It really watches; the spy only counts.
vi.mock(import('node:fs'), { spy: true })

describe('watching', () => {
  it('begins when a server starts, and neither with an app nor with a call', async () => {
    const env = isolatedEnvironment({ SECRETARY_PROJECT: makeProject(FILES), SECRETARY_PORT: '0' })
    const { config } = loadConfig({ env, cwd: process.cwd(), flags: {}, file: {} })
    const app = await createApp(config, createLog('silent'))
    onTestFinished(() => app.close())
    const client = { ...app.localCaller, client: 'a client' }
    await app.boundary.call('copilot_chat_secretary_list_dialogs', {}, client)
    await app.boundary.call('guide_get_content', { expression: 'project' }, client)
    expect(watch).not.toHaveBeenCalled()
    const listening = await listen(app)
    onTestFinished(() => listening.close())
    expect(watch).toHaveBeenCalled()
  })
})

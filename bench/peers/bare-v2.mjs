// The least that an SDK v2 server can be: one tool that answers a constant.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1' }, { capabilities: { tools: {} } })
  server.registerTool(
    'echo',
    { description: 'Echo', inputSchema: z.object({ text: z.string().optional() }) },
    ({ text }) => ({
      content: [{ type: 'text', text: text ?? '' }],
    }),
  )
  return server
})

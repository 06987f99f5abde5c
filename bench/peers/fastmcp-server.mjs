import { FastMCP } from 'fastmcp'
import { z } from 'zod'

const server = new FastMCP({ name: 'fast', version: '1.0.0' })
server.addTool({
  name: 'echo',
  description: 'Echo',
  parameters: z.object({ text: z.string().optional() }),
  execute: async ({ text }) => text ?? '',
})
await server.start({ transportType: 'stdio' })

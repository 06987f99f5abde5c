// Template: ../tasks/tools/README.md

import { Family } from '@secretary-mcp/core/family.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'

/** Shows the shape of a tool; offered only with MCP_INCLUDE_EXAMPLE_TOOLS=true. */
export const exampleFamily = new Family<{ greet(name: string): string }>({
  name: 'example',
  envelope: (result) => ({ body: result.toJson(), isError: !result.success }),
  outputSchema: (value) => ({
    type: 'object',
    properties: { success: { type: 'boolean' }, value },
    required: ['success'],
  }),
})

export const greet = exampleFamily.tool({
  name: 'example_greet',
  title: 'Greet somebody',
  effect: 'read',
  description: 'Say hello to somebody by name',
  arguments: new ToolArguments({ name: z.string().min(1).max(100).describe('Whom to greet') }),
  examples: [{ args: { name: 'Ada' }, shows: 'the answer "Hello, Ada"' }],
  result: z.string(),
  run: ({ name }, { service }) => Result.ok(service.greet(name)),
})

// Template: ./README.md

import { Failure } from '@secretary-mcp/core/failure.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { guideFamily } from '../family.ts'
import type { Guide } from '../guide.ts'
import { quoted } from '../names.ts'
import { MARKDOWN, readGuideUri } from '../resources.ts'
import { MAX_ANSWER } from '../schemas.ts'

export const readResourceTool = guideFamily.tool({
  name: 'read_resource',
  title: 'Read a resource',
  effect: 'read',
  description: 'Read a guide:// address as a resource',
  arguments: new ToolArguments({
    uri: z.string().describe('URI, such as guide://lang/python.md or guide://_status'),
    offset: z.int().min(0).default(0).describe('Characters to skip'),
  }),
  examples: [
    { args: { uri: 'guide://lang/python.md' }, shows: 'one document' },
    { args: { uri: 'guide://_status' }, shows: 'what is in force here' },
  ],
  result: z.object({
    uri: z.string(),
    mime_type: z.string(),
    text: z.string(),
    next_offset: z.int().optional(),
  }),
  run: ({ uri, offset }, { service, caller }) => readResource(service, caller, uri, offset),
})

interface ResourceText {
  readonly uri: string
  readonly mime_type: string
  readonly text: string
  readonly next_offset?: number
}

/** The same text that the resource has, a piece at a time. */
async function readResource(
  guide: Guide,
  caller: Caller,
  uri: string,
  offset: number,
): Promise<Result<ResourceText>> {
  const text = await readGuideUri(uri, await guide.open(caller), caller, guide.openTasks)
  if (text === undefined) {
    throw new Failure('not_found', `There is no document at ${quoted(uri)}`, {
      instruction: 'Do not guess addresses. `category_list_files` lists them.',
    })
  }
  const next = offset + MAX_ANSWER
  const more = next < text.length
  return Result.ok(
    {
      uri,
      mime_type: MARKDOWN,
      text: text.slice(offset, next),
      ...(more ? { next_offset: next } : {}),
    },
    {
      message: more
        ? `${text.length - next} characters more: call again with offset ${next}`
        : undefined,
    },
  )
}

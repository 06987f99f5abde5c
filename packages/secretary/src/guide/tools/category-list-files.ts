// Template: ./README.md

import { Failure } from '@secretary-mcp/core/failure.ts'
import { Result } from '@secretary-mcp/core/result.ts'
import { ToolArguments } from '@secretary-mcp/core/tool-arguments.ts'
import * as z from 'zod'
import { isProblem } from '../documents/document.ts'
import { guideFamily } from '../family.ts'
import { requirePattern } from '../glob.ts'
import { quoted } from '../names.ts'
import type { Project } from '../project/project.ts'
import { bounded, howToGoOn } from '../schemas.ts'
import { inCategory, type Selected, uriOf } from '../select.ts'

export const categoryListFiles = guideFamily.tool({
  name: 'category_list_files',
  title: 'List documents of a category',
  effect: 'read',
  description: 'List the documents of a category',
  arguments: new ToolArguments({
    name: z.string().describe('Name of the category'),
    pattern: z.string().optional().describe('Glob pattern inside its folder'),
    offset: z.int().min(0).default(0).describe('Documents to skip'),
  }),
  examples: [{ args: { name: 'lang' }, shows: 'the address and description of each document' }],
  result: z.object({
    files: z.array(z.object({ uri: z.string(), layer: z.string(), description: z.string() })),
    total: z.int(),
  }),
  run: async (asked, { service, caller }) => listFiles(await service.open(caller), asked),
})

interface FileView {
  readonly uri: string
  readonly layer: string
  readonly description: string
}

/** What a category holds, the broken documents too: whoever lists wants to see them. */
async function listFiles(
  project: Project,
  { name, pattern, offset }: { name: string; pattern?: string; offset: number },
): Promise<Result<{ files: FileView[]; total: number }>> {
  const category = project.categories.get(name)
  if (!category) {
    const names = [...project.categories.keys()].slice(0, 30).join(', ')
    throw new Failure('not_found', `There is no category ${quoted(name)}`, {
      instruction: `Do not guess. Known names: ${names}.`,
    })
  }
  const patterns = pattern ? [requirePattern(pattern)] : category.patterns
  const all = inCategory(category, patterns, project)
  const viewOf = (selected: Selected): FileView => {
    const { file } = selected
    const read = project.shelf.read(file)
    return {
      uri: uriOf(selected),
      layer: file.layer,
      description: isProblem(read) ? `broken: ${read.error}` : (read.description ?? ''),
    }
  }
  const { shown: files, next } = bounded(all, viewOf, offset)
  return Result.ok({ files, total: all.length }, { message: howToGoOn(all.length, next) })
}

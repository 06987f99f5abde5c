import type { Config } from '@secretary-mcp/core/config/config.ts'
import {
  type DecoratedTool,
  ExtMcpToolDecorator,
} from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import { collectTools } from '../collect-tools.ts'
import { contextFamily } from '../context/family.ts'
import { guideFamily } from '../guide/family.ts'
import { prefixesOf } from '../prefixes.ts'
import { offers, requireKnown } from '../toolsets.ts'
import { refusedTool } from './without-project.ts'

interface Parts {
  readonly config: Config
  readonly log: Log
  readonly noProject?: string
  readonly withExamples: boolean
}

/** What is offered, and what may be called: without a project a tool that needs one answers why it is not offered. */
export async function createTools({ config, log, noProject, withExamples }: Parts) {
  const { fallback, families } = prefixesOf(config)
  const decorator = new ExtMcpToolDecorator({ prefix: fallback, families, log })
  const collected = await collectTools(config.families, withExamples)
  requireKnown(config.tools, collected)
  const declared = collected.filter(offers(config.tools))
  const decorated = declared.map((tool) => decorator.decorate(tool))
  const needsProject = ({ tool }: DecoratedTool) => tool.family === contextFamily.name
  return {
    tools: byName(noProject ? decorated.filter((one) => !needsProject(one)) : decorated),
    callable: byName(
      decorated.map((one) => (noProject && needsProject(one) ? refusedTool(one, noProject) : one)),
    ),
    hasGuide: declared.some(({ family }) => family === guideFamily.name),
    hasContext: decorated.some(needsProject),
  }
}

function byName(tools: readonly DecoratedTool[]): Map<string, DecoratedTool> {
  return new Map(tools.map((tool) => [tool.name, tool]))
}

export async function exampleService() {
  const { exampleFamily } = await import('../example/tool-example.ts')
  return exampleFamily.serving({ greet: (name) => `Hello, ${name}` })
}

import type { Config } from '@secretary-mcp/core/config/config.ts'
import {
  type DecoratedTool,
  ExtMcpToolDecorator,
} from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { ResourceProvider } from '@secretary-mcp/core/prompts-and-resources.ts'
import type { Tool } from '@secretary-mcp/core/tool.ts'
import { toolCollection } from '@secretary-mcp/core/tool-arguments.ts'
import { contextFamily } from '../context/family.ts'
import { guideFamily } from '../guide/family.ts'
import { offers, prefixesOf, requireKnown } from '../toolsets.ts'

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

/** A family's tools are declared when its module is imported, and only then. */
const modules: Readonly<Record<string, () => Promise<unknown>>> = {
  dialogs: () => import('../dialogs/tool-modules.ts'),
  guide: () => import('../guide/tool-modules.ts'),
  tasks: () => import('../tasks/tool-modules.ts'),
  context: () => import('../context/tool-modules.ts'),
}

const familyNames: readonly string[] = Object.keys(modules)

/** Loads what is wanted and takes it from the collection. */
async function collectTools(families: readonly string[], withExamples: boolean): Promise<Tool[]> {
  const wanted = families.includes('all')
    ? familyNames
    : familyNames.filter((name) => families.includes(name))
  for (const name of wanted) await modules[name]?.()
  if (withExamples) await import('../example/tool-example.ts')
  toolCollection.handOut()
  const names = withExamples ? [...wanted, 'example'] : wanted
  return names.flatMap((name) => toolCollection.ofFamily(name))
}

/** Not offered; whoever calls it all the same learns why. */
function refusedTool(tool: DecoratedTool, reason: string): DecoratedTool {
  return {
    ...tool,
    async run() {
      throw new Failure('no_project', reason)
    },
  }
}

export function refusedResources(scheme: string, reason: string): ResourceProvider {
  return {
    scheme,
    templates: [],
    list: async () => [],
    async read() {
      throw new Failure('no_project', reason)
    },
  }
}

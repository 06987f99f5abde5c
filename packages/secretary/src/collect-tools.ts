import type { Tool } from '@secretary-mcp/core/tool.ts'
import { toolCollection } from '@secretary-mcp/core/tool-arguments.ts'

/** A family's tools are declared when its module is imported, and only then. */
const modules: Readonly<Record<string, () => Promise<unknown>>> = {
  dialogs: () => import('./dialogs/tool-modules.ts'),
  guide: () => import('./guide/tool-modules.ts'),
  tasks: () => import('./tasks/tool-modules.ts'),
  context: () => import('./context/tool-modules.ts'),
}

const familyNames: readonly string[] = Object.keys(modules)

/** Loads what is wanted and takes it from the collection. */
export async function collectTools(
  families: readonly string[],
  withExamples: boolean,
): Promise<Tool[]> {
  const wanted = families.includes('all')
    ? familyNames
    : familyNames.filter((name) => families.includes(name))
  for (const name of wanted) await modules[name]?.()
  if (withExamples) await import('./example/tool-example.ts')
  toolCollection.handOut()
  const names = withExamples ? [...wanted, 'example'] : wanted
  return names.flatMap((name) => toolCollection.ofFamily(name))
}

import type { Tool } from './core/tool.ts'
import { ToolArguments } from './core/tool-arguments.ts'

/** A family's tools are declared when its module is imported, and only then. */
const modules: Readonly<Record<string, () => Promise<unknown>>> = {
  dialogs: () => import('./dialogs/tool-modules.ts'),
  guide: () => import('./guide/tool-modules.ts'),
  tasks: () => import('./tasks/tool-modules.ts'),
  context: () => import('./context/tool-modules.ts'),
}

export const familyNames: readonly string[] = Object.keys(modules)

/** What this process has collected so far: a module declares its tools once, however many apps there are. */
const collected = new Map<string, Tool>()

export async function collectTools(
  families: readonly string[],
  withExamples: boolean,
): Promise<Tool[]> {
  const wanted = families.includes('all')
    ? familyNames
    : familyNames.filter((name) => families.includes(name))
  for (const name of wanted) await modules[name]?.()
  if (withExamples) await import('./example/tool-example.ts')
  for (const [key, tool] of ToolArguments.getDeclaredTools()) collected.set(key, tool)
  const names = withExamples ? [...wanted, 'example'] : wanted
  return names.flatMap((name) => [...collected.values()].filter((tool) => tool.family === name))
}

import type { Tool } from './tool.ts'

/** `full` is what the documentation standard asks for; `compact` is one short text, for clients that pay by the token. */
export type Profile = 'full' | 'compact'

export function describeTool(tool: Tool, profile: Profile): string {
  if (profile === 'compact') return tool.description
  return [
    `## Description\n${fullText(tool)}`,
    `## JSON Schema\n\`\`\`json\n${JSON.stringify(tool.arguments.toJsonSchema())}\n\`\`\``,
    `## Usage Instructions\n\`\`\`\n${tool.usage ?? usageOf(tool)}\n\`\`\``,
    `## Concrete Examples\n\`\`\`\n${tool.examples.map((example) => exampleOf(tool, example.args, example.shows)).join('\n')}\n\`\`\``,
  ].join('\n')
}

function fullText({ description, about }: Tool): string {
  return about === undefined ? description : `${description.split('\n')[0]}\n${about}`
}

function usageOf(tool: Tool): string {
  const schema = tool.arguments.toJsonSchema()
  const required = new Set((schema.required ?? []) as string[])
  const names = Object.keys((schema.properties ?? {}) as object)
  return `${tool.name}(${names.map((name) => (required.has(name) ? name : `${name}?`)).join(', ')})`
}

function exampleOf(tool: Tool, args: Readonly<Record<string, unknown>>, shows: string): string {
  return `${tool.name}(${JSON.stringify(args)})  # ${shows}`
}

// Template: ./README.md
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { Log } from '@secretary-mcp/core/log.ts'
import type { Prompt, PromptMessage } from '@secretary-mcp/core/prompts-and-resources.ts'
import type { Caller, Services } from '@secretary-mcp/core/tool.ts'
import { commandNames, findCommand } from '../commands.ts'
import type { Content } from '../content.ts'
import type { Guide } from '../guide.ts'
import { getContent } from '../tools/get-content.ts'

interface Parts {
  readonly guide: Guide
  /** As the tools see them: the prompt runs a tool's own function, without the decorator. */
  readonly services: Services
  readonly log: Log
}

/** Prompts have named arguments only: these stand for *args. */
const ARGUMENTS = [...'123456789ABCDEF'].map((digit) => `arg${digit}`)

const DESCRIPTION = `## Description
Get house rules, or run a guide command
Each argument is an expression such as lang/python, or the first is a command.
## Conceptual Schema
\`\`\`
guide(*args: string)
\`\`\`
## Usage Instructions
\`\`\`
@guide <collection or category>[/pattern] ...
@guide :${commandNames.join(' | :')}
\`\`\`
## Concrete Examples
\`\`\`
@guide lang/python        # the rules for Python
@guide project testing    # what fits this project, then everything on tests
@guide :status            # what is in force here
\`\`\``

export function createGuidePrompt(parts: Parts): Prompt {
  return {
    name: 'guide',
    title: 'Guide',
    description: DESCRIPTION,
    arguments: ARGUMENTS.map((name, place) => ({
      name,
      description:
        place === 0
          ? 'Expression such as lang/python, or a command such as :status'
          : 'One more expression',
      required: false,
    })),
    async get(args, caller, signal) {
      const words = wordsOf(args)
      const first = words[0] ?? ':help'
      const text = first.startsWith(':')
        ? await runCommand(first.slice(1), caller, parts)
        : await runContent(words.join(','), caller, signal, parts)
      return [{ role: 'user', text } satisfies PromptMessage]
    },
    async complete(_argument, typed, caller) {
      const { collections, categories } = await parts.guide.open(caller)
      const known = [...new Set([...collections.keys(), ...categories.keys()])].sort()
      return [...commandNames.map((name) => `:${name}`), ...known].filter((word) =>
        word.startsWith(typed),
      )
    },
  }
}

function wordsOf(args: Readonly<Record<string, string>>): string[] {
  return ARGUMENTS.flatMap((name) =>
    Object.hasOwn(args, name) ? (args[name] ?? '').split(/\s+/) : [],
  ).filter((word) => word !== '')
}

async function runCommand(name: string, caller: Caller, { guide }: Parts): Promise<string> {
  const command = findCommand(name)
  if (!command)
    return `There is no command :${name.slice(0, 40)}. There are: ${commandNames.map((known) => `:${known}`).join(' ')}`
  return `${await command.run({ project: await guide.open(caller), caller, openTasks: guide.openTasks })}\n\nShow this to the person as it is.`
}

async function runContent(
  expression: string,
  caller: Caller,
  signal: AbortSignal,
  { services, log }: Parts,
): Promise<string> {
  const parsed = getContent.arguments.parse({ expression })
  if (!parsed.ok) return parsed.issues[0]?.message ?? 'The arguments are not valid'
  try {
    const { value, message, instruction } = await getContent.run(parsed.value, {
      service: services,
      caller,
      signal,
      log,
      progress,
    })
    const content = value as Content
    return [instruction, message, content.content].filter(Boolean).join('\n\n')
  } catch (error) {
    // No boundary stands around a prompt: a wrong word becomes a sentence here.
    if (error instanceof Failure)
      return [error.message, error.instruction].filter(Boolean).join('\n\n')
    throw error
  }
}

function progress(): void {}

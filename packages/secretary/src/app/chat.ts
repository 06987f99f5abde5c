import type { Agent } from '../agent/agent.ts'
import { Conversations } from '../agent/conversations.ts'
import { createModelAgent } from '../agent/model-agent.ts'
import { createRuleAgent } from '../agent/rules/rule-agent.ts'
import type { Toolbox } from '../agent/toolbox.ts'
import type { Boundary } from '@secretary-mcp/core/boundary.ts'
import { type FunctionDefinition, functionDefinitionOf, listingOf } from '@secretary-mcp/core/catalogue.ts'
import type { Config } from '@secretary-mcp/core/config/config.ts'
import type { DecoratedTool } from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import type { Database } from '../storage/database.ts'
import { createConversationStore } from '../agent/store/conversation-store.ts'
import { createTaskStore } from '../tasks/store/task-store.ts'

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly boundary: Boundary
  readonly tools: ReadonlyMap<string, DecoratedTool>
}

/** The chat's part of the composition: the agents over the tools that the profile allows. */
export function createConversations({ config, database, boundary, tools }: Parts): Conversations {
  const chosen = [...tools.values()].filter(
    ({ tool }) => config.chatTools === 'all' || tool.family === 'tasks',
  )
  const taskStore = createTaskStore(database)
  let definitions: FunctionDefinition[] | undefined
  const toolbox: Toolbox = {
    get definitions() {
      definitions ??= chosen.map((tool) => functionDefinitionOf(listingOf(tool, 'compact')))
      return definitions
    },
    effectOf: (name) => chosen.find((tool) => tool.name === name)?.tool.effect,
    // What all projects and agents read is never written on the word of a model alone.
    asksFirst: (name, { role }) =>
      chosen.some(
        ({ name: known, tool: { effect, family, isOperators } }) =>
          known === name &&
          (effect === 'destroy' || (family === 'guide' && effect === 'write')) &&
          (role === 'operator' || !isOperators),
      ),
    ownName: (name) => chosen.find((tool) => tool.name === name)?.tool.name ?? name,
    findTask: (id, { user }) => taskStore.find(user, id),
    async look(tool, args, caller, signal) {
      const known = chosen.find((one) => one.tool.name === tool)
      const answer = known && (await boundary.call(known.name, args, caller, { signal }))
      return answer?.result.success ? answer.result.value : undefined
    },
    call: (name, args, caller, signal) => boundary.call(name, args, caller, { signal }),
  }
  const agent = config.model
    ? lazyModelAgent(config, config.model, sparing(toolbox))
    : createRuleAgent(toolbox, true)
  return new Conversations({
    store: createConversationStore(database),
    agent,
    fallback: createRuleAgent(toolbox, false),
  })
}

/** A model pays for every token that it reads back: without a wish of its own it gets tasks in the short form. */
function sparing(toolbox: Toolbox): Toolbox {
  const short = (args: object) => ({
    fields: ['id', 'title', ...('completed' in args ? [] : ['completed'])],
    ...args,
  })
  return {
    get definitions() {
      return toolbox.definitions
    },
    effectOf: toolbox.effectOf,
    asksFirst: toolbox.asksFirst,
    ownName: toolbox.ownName,
    findTask: toolbox.findTask,
    look: toolbox.look,
    call: (name, args, caller, signal) => {
      const isList = name === 'list_tasks' && args !== null && typeof args === 'object'
      return toolbox.call(name, isList ? short(args) : args, caller, signal)
    },
  }
}

/** The provider's client is large: it loads with the first question. */
function lazyModelAgent(config: Config, model: string, toolbox: Toolbox): Agent {
  let agent: Promise<Agent> | undefined
  const load = async () => {
    const { createOpenAiModel } = await import('../agent/openai-model.ts')
    const { modelUrl: url, modelKey: key, modelStrict: strict } = config
    return createModelAgent(createOpenAiModel({ model, url, key, strict }), toolbox)
  }
  return {
    name: model,
    async answer(request) {
      agent ??= load()
      return (await agent).answer(request)
    },
  }
}

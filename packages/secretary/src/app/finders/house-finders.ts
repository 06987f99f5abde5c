import { queryWords } from '@secretary-mcp/core/excerpt.ts'
import type { DecoratedTool } from '@secretary-mcp/core/ext-mcp-tool-decorator.ts'
import { searchedText, wordRanking } from '../../dialogs/search/word-ranking.ts'
import { aroundHit, wordsSaid } from '../../find/around-hit.ts'
import type { Finder } from '../../find/find-types.ts'
import { isProblem } from '../../guide/documents/document.ts'
import type { Guide } from '../../guide/guide.ts'
import type { Tasks } from '../../tasks/tasks.ts'

export function taskFinder(tasks: Tasks): Finder {
  return {
    kind: 'task',
    narrowedBy: ['after'],
    async find({ user }, { words, after = 0, limit }) {
      if (words === '') return []
      const page = await tasks.list(user, { text: words, limit, offset: 0 })
      return page.tasks
        .filter(({ created_at }) => Date.parse(created_at) >= after)
        .map(({ id, title, description, completed, created_at, space }) => ({
          title,
          ...(description ? { text: aroundHit(description, words) } : {}),
          note: [completed ? 'done' : 'open', ...(space ? [space] : [])].join(', '),
          at: Date.parse(created_at),
          why: wordsSaid(`${title} ${description ?? ''}`, words, 'the task') ?? 'it has this text',
          task: id,
        }))
    },
  }
}

export function documentFinder(guide: Guide): Finder {
  return {
    kind: 'document',
    narrowedBy: [],
    async find(caller, { words, limit }) {
      const { shelf } = await guide.open(caller)
      const ranking = wordRanking<{ path: string; title: string; body: string; layer: string }>(
        words,
      )
      for (const file of shelf.files) {
        const document = shelf.peek(file)
        if (isProblem(document)) continue
        const { path, title, body, layer } = document
        ranking.add(
          { path, title, body, layer },
          searchedText(`${path} ${title} ${title}\n${body}`),
        )
      }
      return ranking
        .ranked()
        .slice(0, limit)
        .map(({ item: { path, title, body, layer } }) => ({
          title: title || path,
          text: aroundHit(body, words),
          note: layer === 'shipped' ? path : `${path}, ${layer}`,
          why:
            wordsSaid(`${path} ${title} ${body}`, words, 'the document') ?? 'it has similar words',
          document: `guide://${path}`,
        }))
    },
  }
}

export function toolFinder(tools: ReadonlyMap<string, DecoratedTool>): Finder {
  return {
    kind: 'tool',
    narrowedBy: [],
    async find(_caller, { words, limit }) {
      const wanted = queryWords(words)
      if (wanted.length === 0) return []
      return [...tools.values()]
        .map(({ name, tool }) => {
          const text = `${name} ${tool.title}`.toLowerCase()
          const named = wanted.filter((word) => text.includes(word)).length
          const described = wanted.filter((word) =>
            tool.description.toLowerCase().includes(word),
          ).length
          return { name, tool, score: named * 3 + described }
        })
        .filter(({ score }) => score >= wanted.length)
        .sort((a, b) => b.score - a.score)
        .slice(0, limit)
        .map(({ name, tool }) => ({
          title: name,
          text: tool.description.split('\n')[0],
          why:
            wordsSaid(`${name} ${tool.title}`, words, 'its name') ??
            'the words are in its description',
          tool: name,
        }))
    },
  }
}

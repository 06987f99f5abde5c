import type { AgentRequest } from './agent.ts'

export type Language = 'en' | 'ru'

/** The language to answer in: a reply to a question gets the question's, a bare number that of what was said before. */
export function languageOf({
  message,
  history,
  waiting,
}: Pick<AgentRequest, 'message' | 'history' | 'waiting'>): Language {
  if (waiting) return isRussian(ownWords(waiting.question)) ? 'ru' : 'en'
  const said = [
    message,
    ...history
      .filter(({ sender }) => sender === 'user')
      .map(contentOf)
      .reverse(),
  ]
  return isRussian(said.find((text) => /\p{L}/u.test(text)) ?? '') ? 'ru' : 'en'
}

function contentOf({ content }: { readonly content: string }): string {
  return content
}

/** Titles are the person's: only what stands outside the quotation marks of the first line is ours. */
function ownWords(question: string): string {
  return (question.split('\n', 1)[0] ?? '').replace(/“[^“”]*”/g, '')
}

function isRussian(text: string): boolean {
  return /\p{Script=Cyrillic}/u.test(text)
}

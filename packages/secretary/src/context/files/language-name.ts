import { languageOf } from '@secretary-mcp/search/syntax/languages.ts'

/** Where the grammar that serves a file is not what people call its language. */
const PEOPLE_SAY: Readonly<Record<string, string>> = {
  '.tsx': 'typescript',
  '.jsx': 'javascript',
  '.c': 'c',
  '.cs': 'csharp',
  '.sh': 'shell',
  '.bash': 'shell',
}

export function languageName(path: string): string {
  const extension = /\.[^./]+$/.exec(path)?.[0]?.toLowerCase() ?? ''
  const language = PEOPLE_SAY[extension] ?? languageOf(path)?.name ?? 'text'
  return language === 'c++' ? 'cpp' : language
}

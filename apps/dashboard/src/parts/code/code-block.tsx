import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Pre } from '../scrollable.tsx'
import type { Token } from './tokenize.ts'

type Tokenize = (text: string, language: string) => Token[][]

let loaded: Tokenize | undefined
let loading: Promise<Tokenize> | undefined

/** The tokenizer comes when code is first shown; until then, and for what it does not know, the text is plain. */
export function useTokens(text: string, language: string): readonly (readonly Token[])[] {
  const [tokenize, setTokenize] = useState<Tokenize | undefined>(() => loaded)
  useEffect(() => {
    if (tokenize) return
    loading ??= import('./tokenize.ts').then((part) => part.tokenize)
    loading.then(
      (part) => {
        loaded = part
        setTokenize(() => part)
      },
      () => {},
    )
  }, [tokenize])
  return useMemo(
    () => (tokenize ? tokenize(text, language) : text.split('\n').map((line) => [{ text: line }])),
    [tokenize, text, language],
  )
}

export function CodeBlock({
  text,
  language,
}: {
  readonly text: string
  readonly language: string
}) {
  const lines = useTokens(text, language)
  return (
    <Pre>
      <code>
        {lines.flatMap((line, index) => [
          ...drawTokens(line),
          index < lines.length - 1 ? '\n' : '',
        ])}
      </code>
    </Pre>
  )
}

export function drawTokens(line: readonly Token[]): ComponentChildren[] {
  return line.map(({ text, kind }, place) =>
    kind ? (
      <span key={place} class={`code-${kind}`}>
        {text}
      </span>
    ) : (
      text
    ),
  )
}

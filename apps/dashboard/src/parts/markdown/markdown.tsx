import type { MarkedToken, Tokens } from 'marked'
import { type ComponentChildren, createElement } from 'preact'
import { useMemo } from 'preact/hooks'
import { pathTo } from '../../live/router.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { isSafeAddress, known, lex } from './lex.ts'

interface MarkdownProps {
  readonly text: string
  /** The page's own headings stand above the document's. */
  readonly headingsFrom?: number
}

/** Markdown as elements. Only text nodes are made out of it, so markup in a document is shown, never obeyed. */
export function Markdown({ text, headingsFrom = 2 }: MarkdownProps) {
  const tokens = useMemo(() => lex(text), [text])
  return <div class="prose">{tokens.map((token, key) => draw(token, key, headingsFrom))}</div>
}

export function draw(token: MarkedToken, key: number, from: number): ComponentChildren {
  const inner = (one: { tokens?: Tokens.Generic['tokens'] }) =>
    known(one.tokens).map((part, place) => draw(part, place, from))
  switch (token.type) {
    case 'heading':
      return createElement(`h${Math.min(6, token.depth + from - 1)}`, { key }, inner(token))
    case 'paragraph':
      return <p key={key}>{inner(token)}</p>
    case 'code':
      return <CodeBlock key={key} text={token.text} language={token.lang?.split(/\s/)[0] ?? ''} />
    case 'blockquote':
      return <blockquote key={key}>{inner(token)}</blockquote>
    case 'list':
      return createElement(
        token.ordered ? 'ol' : 'ul',
        { key, ...(token.ordered ? { start: Number(token.start) } : {}) },
        token.items.map((item, place) => <li key={place}>{inner(item)}</li>),
      )
    case 'table':
      return (
        <div class="table-scroll" key={key}>
          <table class="table">
            <thead>
              <tr>
                {token.header.map((cell, place) => (
                  <th scope="col" key={place}>
                    {inner(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {token.rows.map((row, line) => (
                <tr key={line}>
                  {row.map((cell, place) => (
                    <td key={place}>{inner(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    case 'hr':
      return <hr key={key} />
    case 'br':
      return <br key={key} />
    case 'strong':
      return <strong key={key}>{inner(token)}</strong>
    case 'em':
      return <em key={key}>{inner(token)}</em>
    case 'del':
      return <s key={key}>{inner(token)}</s>
    case 'codespan':
      return <code key={key}>{token.text}</code>
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'link':
      return drawLink(token.href, inner(token), key)
    // Pictures are named, not fetched.
    case 'image':
      return <em key={key}>{token.text || token.href}</em>
    case 'html':
      return token.block ? <p key={key}>{token.text}</p> : token.text
    case 'text':
      return token.tokens ? inner(token) : token.text
    case 'escape':
      return token.text
    default:
      return null
  }
}

/** Only addresses that cannot run anything become links; the rest stays words. */
function drawLink(to: string, words: ComponentChildren, key: number): ComponentChildren {
  if (!isSafeAddress(to)) return <em key={key}>{words}</em>
  const task = /^task:(\d+)$/i.exec(to)?.[1]
  if (task)
    return (
      <a key={key} href={pathTo(['tasks', task])}>
        {words}
      </a>
    )
  const [, path, line] = /^file:([^:]+)(?::(\d+))?$/i.exec(to) ?? []
  if (path)
    return (
      <a key={key} href={`${pathTo(['file'], { path })}${line ? `#L${line}` : ''}`}>
        {words}
      </a>
    )
  return /^guide:/i.test(to) ? (
    <a key={key} href={pathTo(['guide'], { document: to })}>
      {words}
    </a>
  ) : (
    <a key={key} href={to} target="_blank" rel="noreferrer">
      {words}
    </a>
  )
}

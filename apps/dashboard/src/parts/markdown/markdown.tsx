import { type ComponentChildren, createElement, type VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { pathTo } from '../../live/router.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { type Block, parseBlocks } from './blocks.ts'
import { type Inline, parseInline } from './inline.ts'

interface MarkdownProps {
  readonly text: string
  /** The page's own headings stand above the document's. */
  readonly headingsFrom?: number
}

/** Markdown as elements. Only text nodes are made out of it, so markup in a document is shown, never obeyed. */
export function Markdown({ text, headingsFrom = 2 }: MarkdownProps) {
  const blocks = useMemo(() => parseBlocks(text), [text])
  return (
    <div class="prose">{blocks.map((block, place) => drawBlock(block, place, headingsFrom))}</div>
  )
}

function drawBlock(block: Block, key: number, from: number): VNode {
  switch (block.kind) {
    case 'heading':
      return createElement(
        `h${Math.min(6, block.level + from - 1)}`,
        { key },
        drawInline(block.text),
      )
    case 'paragraph':
      return <p key={key}>{drawInline(block.text)}</p>
    case 'code':
      return <CodeBlock key={key} text={block.text} language={block.language} />
    case 'quote':
      return (
        <blockquote key={key}>
          {block.blocks.map((inner, place) => drawBlock(inner, place, from))}
        </blockquote>
      )
    case 'list':
      return drawList(block, key, from)
    case 'table':
      return drawTable(block, key)
    case 'rule':
      return <hr key={key} />
  }
}

function drawList(block: Extract<Block, { kind: 'list' }>, key: number, from: number): VNode {
  const items = block.items.map((item, place) => {
    const [first, ...rest] = item
    // A tight item: its words stand beside the mark.
    const lead =
      first?.kind === 'paragraph' ? drawInline(first.text) : first && drawBlock(first, -1, from)
    return (
      <li key={place}>{[lead, ...rest.map((inner, index) => drawBlock(inner, index, from))]}</li>
    )
  })
  return block.ordered ? (
    <ol key={key} start={block.start}>
      {items}
    </ol>
  ) : (
    <ul key={key}>{items}</ul>
  )
}

function drawTable({ head, rows }: Extract<Block, { kind: 'table' }>, key: number): VNode {
  return (
    <div class="table-scroll" key={key}>
      <table class="table">
        <thead>
          <tr>{head.map((cell) => createElement('th', { scope: 'col' }, drawInline(cell)))}</tr>
        </thead>
        <tbody>
          {rows.map((row) =>
            createElement('tr', null, ...row.map((cell) => <td>{drawInline(cell)}</td>)),
          )}
        </tbody>
      </table>
    </div>
  )
}

function drawInline(text: string): ComponentChildren {
  return parseInline(text).map(drawPart)
}

function drawPart(part: Inline, key: number): ComponentChildren {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return <code key={key}>{part.text}</code>
    case 'strong':
      return <strong key={key}>{part.parts.map(drawPart)}</strong>
    case 'emphasis':
      return <em key={key}>{part.parts.map(drawPart)}</em>
    case 'strike':
      return <s key={key}>{part.parts.map(drawPart)}</s>
    case 'link':
      return part.to.toLowerCase().startsWith('guide:') ? (
        <a key={key} href={pathTo(['guide'], { document: part.to })}>
          {part.parts.map(drawPart)}
        </a>
      ) : (
        <a key={key} href={part.to} target="_blank" rel="noreferrer">
          {part.parts.map(drawPart)}
        </a>
      )
  }
}

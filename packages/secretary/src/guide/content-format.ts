import { createHash } from 'node:crypto'

export interface Rendered {
  readonly uri: string
  readonly name: string
  readonly text: string
}

export type ContentFormat = 'none' | 'plain' | 'mime'

export function formatContent(documents: readonly Rendered[], format: ContentFormat): string {
  if (format === 'mime') return multipart(documents)
  if (format === 'plain')
    return documents.map(({ name, text }) => `--- ${name} ---\n${text.trimEnd()}\n`).join('\n')
  return documents.map(({ text }) => `${text.trimEnd()}\n`).join('\n')
}

function multipart(documents: readonly Rendered[]): string {
  const boundary = boundaryFor(documents)
  const parts = documents.map(({ uri, text }) =>
    [
      `--${boundary}`,
      'Content-Type: text/markdown; charset=utf-8',
      `Content-Location: ${uri}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
      '',
      text,
    ].join('\r\n'),
  )
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    ...parts,
    `--${boundary}--`,
    '',
  ].join('\r\n')
}

/** The same documents give the same text; a boundary that occurs in one of them is no boundary. */
function boundaryFor(documents: readonly Rendered[]): string {
  const hash = createHash('sha256')
  for (const { text } of documents) hash.update(text)
  let boundary = `guide-${hash.digest('hex').slice(0, 16)}`
  while (documents.some(({ text }) => text.includes(boundary))) boundary += 'x'
  return boundary
}

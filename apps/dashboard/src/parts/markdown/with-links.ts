/** Tasks that a text speaks of, as links to them; what is code stays as it is. */
export function withLinks(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, place) =>
      place % 2 === 1
        ? part
        : part.replace(/(\b[Tt]ask #?|(?<!\S)#)(\d{1,12})\b/g, '[$1$2](task:$2)'),
    )
    .join('')
}

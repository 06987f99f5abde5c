const FILE = /^`(?!\.\.?\/)((?:[\w@.-]+\/)+[\w@-][\w@.-]*\.\w{1,8})(?::(\d{1,7}))?`$/
const TASK = /(\b[Tt]ask #?|(?<!\S)#)(\d{1,12})\b/g
/** A line of a list of tasks, as the agent without a model writes it. */
const LISTED = /^([·✓] )(\d{1,12})(?= {2}\S)/gm

/** Tasks and files that a text speaks of, as links to them; other code stays as it is. */
export function withLinks(text: string): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, place) => (place % 2 === 1 ? fileLink(part) : taskLinks(part)))
    .join('')
}

function taskLinks(text: string): string {
  return text.replace(TASK, '[$1$2](task:$2)').replace(LISTED, '$1[$2](task:$2)')
}

function fileLink(code: string): string {
  const [, path, line] = FILE.exec(code) ?? []
  return path === undefined ? code : `[${code}](file:${path}${line ? `:${line}` : ''})`
}

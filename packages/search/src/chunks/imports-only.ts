const IMPORTS = [
  // TypeScript and JavaScript, also over several lines.
  /^[ \t]*(?:import|export)\b[^;'"`()]*?from[ \t]*['"][^'"\n]+['"];?[ \t]*$/gm,
  /^[ \t]*import[ \t]+['"][^'"\n]+['"];?[ \t]*$/gm,
  /^[ \t]*(?:const|let|var)\b[^=;]*=[ \t]*require\([^()\n]*\)[^\n]*$/gm,
  // Go and Python, also in parentheses.
  /^[ \t]*import[ \t]*\([^()]*\)[ \t]*$/gm,
  /^[ \t]*from[ \t]+\S+[ \t]+import(?:[ \t]*\([^()]*\)|\b[^\n]*)$/gm,
  // Rust.
  /^[ \t]*(?:pub(?:\([^()]*\))?[ \t]+)?use[ \t][^;]*;[ \t]*$/gm,
  // Java, Kotlin, Scala, C#, C, Ruby, PHP and others: a line each.
  /^[ \t]*(?:import|package|using|namespace|module|require|require_relative|open)[ \t]+['"<\w][^\n{}=]*$/gm,
  /^[ \t]*#[ \t]*(?:include|import)\b[^\n]*$/gm,
]
/** Such as a remark at the head of a file; more of it may say what the file is for. */
const MAX_OTHER_LINES = 1
/** One endless line is a passage too, and nobody imports so much. */
const MAX_LENGTH = 8_000

/** A passage that only names what other files define. */
export function isImportsOnly(content: string): boolean {
  if (content.length > MAX_LENGTH) return false
  let rest = content
  for (const imports of IMPORTS) rest = rest.replace(imports, '')
  if (rest === content) return false
  const lines = rest.split('\n').filter((line) => line.trim() !== '')
  return lines.length <= MAX_OTHER_LINES && lines.every(isRemark)
}

function isRemark(line: string): boolean {
  return /^\s*(?:\/\/|#[\s!]|\/\*.*\*\/|--|;|['"]use )/.test(line)
}

import type { LanguageImports } from './language-imports.ts'
import { c } from './languages/c.ts'
import { csharp } from './languages/csharp.ts'
import { go } from './languages/go.ts'
import { java } from './languages/java.ts'
import { php } from './languages/php.ts'
import { python } from './languages/python.ts'
import { ruby } from './languages/ruby.ts'
import { rust } from './languages/rust.ts'
import { javascript, tsx, typescript } from './languages/script.ts'

const byExtension = new Map<string, LanguageImports>(
  [typescript, tsx, javascript, python, go, rust, java, c, ruby, php, csharp].flatMap((language) =>
    language.extensions.map((extension) => [extension, language] as const),
  ),
)

export function languageOfExtension(extension: string): LanguageImports | undefined {
  return byExtension.get(extension)
}

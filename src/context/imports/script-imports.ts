import { join } from 'node:path'
import type { Program } from 'oxc-parser'
import { pathFailure } from '../../core/files/path-failure.ts'
import type { Import } from './language-imports.ts'

export const SCRIPT_EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']

/** What a JavaScript or TypeScript file imports, exports from elsewhere, requires and loads later. */
export async function scriptImports(path: string, text: string): Promise<Import[]> {
  const { parseSync, Visitor } = await import('oxc-parser')
  // JSX is allowed in plain .js, as the tools of today allow it.
  const lang = /\.[cm]?js$/.test(path) ? 'jsx' : undefined
  const parsed = parseSync(path, text, lang ? { lang } : {})
  const error = parsed.errors.find(({ severity }) => severity === 'Error')
  if (error)
    throw pathFailure(
      'Failed to parse imports',
      path,
      `Syntax error at line ${lineAt(text, error.labels[0]?.start ?? 0)}`,
    )
  const { staticImports, staticExports, dynamicImports } = parsed.module
  return [
    ...staticImports.map(({ moduleRequest }) => ({
      specifier: moduleRequest.value,
      type: 'import' as const,
    })),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) =>
        moduleRequest ? [{ specifier: moduleRequest.value, type: 'export' as const }] : [],
      ),
    ),
    ...dynamicImports.flatMap(({ moduleRequest }) =>
      literal(text.slice(moduleRequest.start, moduleRequest.end), 'dynamic'),
    ),
    ...(/\brequire\s*\(/.test(text) ? requires(parsed.program) : []),
  ]

  function requires(program: Program): Import[] {
    const found: Import[] = []
    new Visitor({
      CallExpression({ callee, arguments: [first] }) {
        if (callee.type !== 'Identifier' || callee.name !== 'require' || first?.type !== 'Literal')
          return
        if (typeof first.value === 'string') found.push({ specifier: first.value, type: 'require' })
      },
    }).visit(program)
    return found
  }
}

function literal(source: string, type: Import['type']): Import[] {
  const specifier = /^(['"`])([^'"`$\\]+)\1$/.exec(source.trim())?.[2]
  return specifier ? [{ specifier, type }] : []
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

type Resolver = (file: string, specifier: string) => Promise<string | undefined>

/** tsconfig paths, exports maps and workspace packages, as bundlers resolve them. The answer is an absolute path. */
export async function createScriptResolver(root: string): Promise<Resolver> {
  const { ResolverFactory } = await import('oxc-resolver')
  const resolver = new ResolverFactory({
    tsconfig: 'auto',
    extensions: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts', '.json'],
    extensionAlias: {
      '.js': ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
      '.jsx': ['.tsx', '.jsx'],
      '.mjs': ['.mts', '.mjs'],
      '.cjs': ['.cts', '.cjs'],
    },
    conditionNames: ['node', 'import', 'require', 'types', 'default'],
    mainFields: ['module', 'main'],
  })
  return async (file, specifier) => {
    const { path } = await resolver.resolveFileAsync(join(root, file), specifier)
    return path ?? undefined
  }
}

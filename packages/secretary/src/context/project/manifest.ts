import { basename } from 'node:path'
import type { ProjectTree } from '../imports/project-tree.ts'

export interface Manifest {
  readonly file: string
  readonly language: string
  readonly name?: string
  readonly description?: string
  readonly dependencies: readonly string[]
  readonly hasCommand: boolean
}

type Reader = (text: string) => Omit<Manifest, 'file' | 'language'>

/** By file name: the language it stands for and how it is read. A broken manifest says nothing and does no harm. */
const READERS: Readonly<Record<string, readonly [string, Reader]>> = {
  'package.json': ['JavaScript', readPackageJson],
  'pyproject.toml': ['Python', readPyproject],
  'requirements.txt': [
    'Python',
    (text) => ({ dependencies: names(text, /^([A-Za-z][\w.-]*)/gm), hasCommand: false }),
  ],
  'Cargo.toml': ['Rust', readCargo],
  'go.mod': ['Go', readGoMod],
  Gemfile: [
    'Ruby',
    (text) => ({ dependencies: names(text, /^[ \t]*gem[ \t]+['"]([^'"]+)/gm), hasCommand: false }),
  ],
  'composer.json': ['PHP', readComposer],
  'pom.xml': ['Java', readPom],
  'build.gradle': [
    'Java',
    (text) => ({ dependencies: names(text, /['"][\w.-]+:([\w.-]+):/g), hasCommand: false }),
  ],
  'build.gradle.kts': [
    'Kotlin',
    (text) => ({ dependencies: names(text, /['"][\w.-]+:([\w.-]+):/g), hasCommand: false }),
  ],
  'CMakeLists.txt': [
    'C/C++',
    (text) => ({
      name: first(text, /project\s*\(\s*([\w-]+)/i),
      dependencies: [],
      hasCommand: false,
    }),
  ],
}

export async function readManifests(tree: ProjectTree): Promise<Manifest[]> {
  const files = new Set(await tree.filesIn(''))
  const found: Manifest[] = []
  for (const [file, [language, read]] of Object.entries(READERS))
    if (files.has(file)) {
      const text = await tree.text(file)
      found.push({ file, language, ...read(file.endsWith('.json') ? text : plainLines(text)) })
    }
  const csproj = [...files].find((name) => name.endsWith('.csproj') || name.endsWith('.sln'))
  if (csproj)
    found.push({
      file: csproj,
      language: 'C#',
      name: basename(csproj).replace(/\.\w+$/, ''),
      dependencies: [],
      hasCommand: false,
    })
  return found
}

const LONGEST_LINE = 1_000

/** A manifest that a person wrote has short lines; long runs of blanks are there to keep a pattern busy. */
function plainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= LONGEST_LINE)
    .join('\n')
}

function readPackageJson(text: string) {
  const { name, description, bin, dependencies, devDependencies } = parsed(text)
  return {
    name: textOf(name),
    description: textOf(description),
    dependencies: [...keysOf(dependencies), ...keysOf(devDependencies)],
    hasCommand: bin !== undefined,
  }
}

function readComposer(text: string) {
  const { name, description, bin, require } = parsed(text)
  return {
    name: textOf(name),
    description: textOf(description),
    dependencies: keysOf(require),
    hasCommand: bin !== undefined,
  }
}

function readPyproject(text: string) {
  return {
    name: first(text, /^name\s*=\s*["']([^"']+)/m),
    description: first(text, /^description\s*=\s*["']([^"']+)/m),
    dependencies: [
      ...names(text, /^[ \t]*["']([A-Za-z][\w.-]*)/gm),
      ...names(text, /^([A-Za-z][\w-]*)\s*=\s*["'{]/gm),
    ],
    hasCommand: /^\[(project\.scripts|tool\.poetry\.scripts)\]/m.test(text),
  }
}

function readCargo(text: string) {
  const dependencies = text
    .split(/^\[/m)
    .filter((section) => /^[\w.-]*dependencies\]/.test(section))
  return {
    name: first(text, /^\[package\][^[]*?^name\s*=\s*"([^"]+)/m),
    description: first(text, /^description\s*=\s*"([^"]+)/m),
    dependencies: dependencies.flatMap((section) => names(section, /^([\w-]+)\s*=/gm)),
    hasCommand: /^\[\[bin\]\]/m.test(text),
  }
}

function readGoMod(text: string) {
  return {
    name: first(text, /^module\s+(\S+)/m)
      ?.split('/')
      .at(-1),
    dependencies: names(text, /^[ \t]*(?:require[ \t]+)?([\w-]{1,100}\.[\w./-]{1,300})[ \t]+v/gm),
    hasCommand: false,
  }
}

function readPom(text: string) {
  return {
    name: first(text.slice(text.indexOf('</parent>') + 1), /<artifactId>([^<]+)/),
    dependencies: names(text, /<artifactId>([^<]+)/g),
    hasCommand: false,
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const keysOf = (value: unknown) =>
  value !== null && typeof value === 'object' ? Object.keys(value) : []
const textOf = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value.slice(0, 300) : undefined
const first = (text: string, pattern: RegExp) => textOf(pattern.exec(text)?.[1])
const names = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([, name]) => (name ? [name] : []))

import { recallHooks } from '@secretary-mcp/secretary/cli/clients/agent-hooks.ts'
import {
  type EntryFor,
  SHARED_COMMAND,
  sharedEntry,
} from '@secretary-mcp/secretary/cli/clients/server-entry.ts'
import { installLines } from './install-lines.ts'
import { json, NAME, type PackageFacts, TITLE } from './package-facts.ts'
import { skillText } from './skill-text.ts'

// biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in
const WORKSPACE = '${workspaceFolder}'

/** One folder for each agent: their manifests and hooks differ, and each copies nothing but its own folder. */
export function plugins(facts: PackageFacts): [string, string][] {
  const { version, description, author, license, keywords, repository } = facts
  const servers = (entryFor: EntryFor) => ({ mcpServers: { [NAME]: sharedEntry(entryFor) } })
  const about = {
    name: NAME,
    version,
    description,
    author: { name: author },
    repository: `https://github.com/${repository}`,
    license,
    keywords,
  }
  return [
    ...folder('claude-code', facts, {
      '.claude-plugin/plugin.json': about,
      '.mcp.json': servers({ namesServer: true }),
      'hooks/hooks.json': hooksOf('claude-code'),
    }),
    ...folder('codex', facts, {
      '.codex-plugin/plugin.json': {
        ...about,
        skills: './skills/',
        mcpServers: './.mcp.json',
        hooks: './hooks/hooks.json',
        interface: {
          displayName: TITLE,
          shortDescription: description,
          developerName: author,
          category: 'Productivity',
        },
      },
      '.mcp.json': servers({ namesServer: true }),
      'hooks/hooks.json': hooksOf('codex'),
    }),
    ...folder('cursor', facts, {
      '.cursor-plugin/plugin.json': { ...about, displayName: TITLE, mcpServers: './mcp.json' },
      'mcp.json': servers({ project: WORKSPACE }),
    }),
    ...folder('gemini-cli', facts, {
      'gemini-extension.json': {
        name: NAME,
        version,
        description,
        ...servers({ namesServer: true }),
      },
      'hooks/hooks.json': hooksOf('gemini-cli'),
    }),
  ]
}

function hooksOf(agent: string): object {
  return recallHooks[agent]?.(SHARED_COMMAND).content ?? {}
}

function folder(
  agent: string,
  facts: PackageFacts,
  files: Readonly<Record<string, object>>,
): [string, string][] {
  const at = (path: string) => `plugins/${agent}/${path}`
  return [
    ...Object.entries(files).map(([path, value]): [string, string] => [at(path), json(value)]),
    [at(`skills/${NAME}/SKILL.md`), skillText(facts)],
    [at('README.md'), readme(agent, facts)],
  ]
}

function readme(agent: string, facts: PackageFacts): string {
  const line = installLines(facts)[agent]
  const install = line ? `\n\`\`\`\n${line}\n\`\`\`\n` : ''
  return `# ${TITLE}

${facts.description}
${install}
After a compaction the agent is told again what you asked, word for word, what was done for each request, what is
left to do and which rules hold. It also gets tools to search code, dialogs and decisions by meaning.

The plugin starts the command \`${NAME}\`, which has to be on your PATH.
It runs on your machine with Node ${facts.engines.node.replace('>=', '')} or later, needs no key and no account, and sends nothing anywhere.
Documentation: https://github.com/${facts.repository}
`
}

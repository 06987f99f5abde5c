import { NAME, type PackageFacts, TITLE } from './package-facts.ts'

/** The bundle's own folder, and what the person chose, as the desktop app fills them in. */
const ENTRY = 'server/dist/secretary.js'
// biome-ignore lint/suspicious/noTemplateCurlyInString: the app fills it in
const AT_HOME = '${__dirname}/'
// biome-ignore lint/suspicious/noTemplateCurlyInString: the app fills it in
const CHOSEN = '${user_config.project}'

/** For desktop apps that install `.mcpb` files. */
export function bundleManifest(facts: PackageFacts): object {
  const { version, description, author, license, keywords, repository, engines, tools } = facts
  return {
    manifest_version: '0.3',
    name: NAME,
    display_name: TITLE,
    version,
    description,
    author: { name: author },
    repository: { type: 'git', url: `https://github.com/${repository}` },
    license,
    keywords,
    server: {
      type: 'node',
      entry_point: ENTRY,
      mcp_config: {
        command: 'node',
        args: [
          `${AT_HOME}${ENTRY}`,
          ...['mcp', '--descriptions', 'compact', '--tools', 'core'],
          ...['--project', CHOSEN],
        ],
      },
    },
    tools: tools.map(({ name, description: says }) => ({
      name,
      description: says.split('\n')[0],
    })),
    user_config: {
      project: {
        type: 'directory',
        title: 'Project',
        description: 'The folder of the project to work on',
        required: true,
      },
    },
    compatibility: {
      platforms: ['darwin', 'linux', 'win32'],
      runtimes: { node: engines.node },
    },
  }
}

import { type Field, fields } from '@secretary-mcp/core/config/fields.ts'
import { type PackageFacts, TITLE } from './package-facts.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
/** What a client may ask a person about; the rest has defaults that fit. */
const ASKED = ['project', 'home', 'databaseUrl'] as const

/** For the MCP registry. */
export function serverJson(facts: PackageFacts): object {
  const { name, version, mcpName, description, repository } = facts
  return {
    $schema: SCHEMA,
    name: mcpName,
    title: TITLE,
    description,
    version,
    repository: { url: `https://github.com/${repository}`, source: 'github' },
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          { type: 'named', name: '--descriptions', value: 'compact' },
          { type: 'named', name: '--tools', value: 'core' },
        ],
        environmentVariables: ASKED.map((key) => variable(fields[key])),
      },
    ],
  }
}

function variable({ env, describe, secret = false }: Field): object {
  const format = /folder/i.test(describe) ? 'filepath' : 'string'
  return { name: env, description: describe, isRequired: false, isSecret: secret, format }
}

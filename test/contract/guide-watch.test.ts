import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { put, trustDocuments } from '../support/guide-house.ts'
import { connectStdio, startHttpServer } from '../support/mcp-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folders = () => {
  const home = temporaryFolder()
  const project = join(temporaryFolder(), 'shop')
  put(join(project, 'readme.txt'), '')
  trustDocuments(home, project, {
    'words/alpha.md': 'the project’s own',
    'words/beta.md': 'beta',
  })
  return {
    docroot: join(home, 'docroot'),
    project,
    env: { SECRETARY_HOME: home, SECRETARY_PROJECT: project },
  }
}

/** What a client is told, in order; a list that changed is a star. */
function hear(client: Client): string[] {
  const heard: string[] = []
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    heard.push('*')
  })
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri)
  })
  return heard
}

it('G9 announces a document that somebody wrote, changed or took away on disk, without a call in between', async () => {
  const { docroot, project, env } = folders()
  const { client, call, close } = await connectStdio({ env, clientName: 'tester' })
  const heard = hear(client)
  const isHeard = (what: string) => expect.poll(() => heard.splice(0)).toContain(what)
  await call('guide_get_project')

  put(join(docroot, 'words/alpha.md'), 'alpha')
  await isHeard('*')
  put(join(docroot, 'words/alpha.md'), 'alpha, and more of it')
  await isHeard('guide://words/alpha.md')
  put(join(project, '.guide/words/alpha.md'), 'the project’s own')
  await isHeard('guide://words/alpha.md')
  rmSync(docroot, { recursive: true })
  put(join(project, '.guide/words/beta.md'), 'beta')
  await isHeard('*')
  put(join(docroot, 'words/deep/down/gamma.md'), 'gamma')
  await isHeard('*')
  put(join(docroot, 'words/deep/down/gamma.md'), 'gamma, and more of it')
  await isHeard('guide://words/deep/down/gamma.md')
  await close()
})

it('G9 announces it to a client that has done nothing but subscribe', async () => {
  const { docroot, env } = folders()
  const { client, close } = await connectStdio({ env })
  const heard = hear(client)
  await client.subscribeResource({ uri: 'guide://words/alpha.md' })
  put(join(docroot, 'words/alpha.md'), 'alpha')
  await expect.poll(() => heard.splice(0)).toContain('*')
  await client.unsubscribeResource({ uri: 'guide://words/alpha.md' })
  await close()
})

it('G9 announces it to whoever listens over HTTP', async () => {
  const { docroot, env } = folders()
  put(join(docroot, 'words/alpha.md'), 'alpha')
  const server = await startHttpServer({ env })
  const client = new Client(
    { name: 'tester', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const heard = hear(client)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: server.headers },
    }),
  )
  await client.listen({
    resourcesListChanged: true,
    resourceSubscriptions: ['guide://words/alpha.md'],
  })
  put(join(docroot, 'words/beta.md'), 'beta')
  await expect.poll(() => heard.splice(0)).toContain('*')
  put(join(docroot, 'words/alpha.md'), 'alpha, and more of it')
  await expect.poll(() => heard.splice(0)).toContain('guide://words/alpha.md')
  await client.close()
  await server.stop()
})

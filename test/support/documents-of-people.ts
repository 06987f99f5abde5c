import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { Asks, SpaceHouse } from './asks.ts'
import { binary } from './mcp-client.ts'
import type { KnownDocument, SpaceWorld } from './space-world.ts'
import { temporaryFolder } from './temporary-folder.ts'

const DOCUMENTS = 2

/** People with a docroot of their own, of which they may give spaces copies. */
export class DocumentsOfPeople {
  readonly #docroots = new Map<string, string>()
  readonly #world: SpaceWorld
  readonly #env: Readonly<Record<string, string>>

  constructor(
    world: SpaceWorld,
    people: readonly string[],
    word: () => string,
    env: Readonly<Record<string, string>>,
  ) {
    this.#world = world
    this.#env = env
    for (const owner of people) {
      const docroot = temporaryFolder()
      this.#docroots.set(owner, docroot)
      for (let n = 1; n <= DOCUMENTS; n++) {
        const path = `guidelines/page-${n}-of-${owner}.md`
        const document = { owner, path, word: word(), spaces: new Set<string>() }
        mkdirSync(dirname(join(docroot, path)), { recursive: true })
        writeFileSync(join(docroot, path), `# Page ${n}\n\nSay ${document.word}.\n`)
        world.documents.push(document)
      }
    }
  }

  /** On the command line of the machine where it was written. */
  share({ owner, path, spaces }: KnownDocument, space: string): string {
    const env = { ...this.#env, SECRETARY_DOCROOT: this.#docroots.get(owner) }
    const args = [binary, 'guide', 'share', path, space, '--user', owner]
    const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
    const may = this.#world.isAtLeast(owner, space, 'member')
    const said = `${owner} shares ${path} with ${space}`
    expect(status, `${said}: ${stderr}`).toBe(may ? 0 : 1)
    if (may) spaces.add(space)
    return said
  }

  async takeBack(house: SpaceHouse, actor: string, document: KnownDocument, space: string) {
    const { owner, path, spaces } = document
    const mayTake = owner === actor || this.#world.isAtLeast(actor, space, 'operator')
    const isGone = this.#world.roleIn(actor, space) && mayTake && spaces.has(space)
    const address = `/api/v1/spaces/${space}/documents?path=${encodeURIComponent(path)}`
    const { status, text } = await house.send(actor, 'DELETE', address)
    const said = `${actor} takes ${path} back from ${space}`
    expect(status, `${said}: ${text}`).toBe(isGone ? 204 : 404)
    if (isGone) spaces.delete(space)
    return said
  }

  /** Every surface that draws on shared documents, as one person sees it. */
  async check(asks: Asks, wanted: KnownDocument, space: string): Promise<void> {
    const { user, at, house, safe } = asks
    const world = this.#world
    const name = world.spaces.get(space)?.name ?? ''
    const isMember = world.roleIn(user, space) !== undefined
    const here = isMember ? world.documents.filter(({ spaces }) => spaces.has(space)) : []
    const says = `${at} reads ${name}`
    const tells = (text: string) => here.filter(({ word }) => text.includes(word)).length

    const listed = await house.send(user, 'GET', `/api/v1/spaces/${space}/documents`)
    safe('documents of a space', listed.text)
    expect(listed.status, says).toBe(isMember ? 200 : 404)
    if (isMember)
      expect(listed.body.documents.map(({ path }) => path).sort(), says).toEqual(
        here.map(({ path }) => path).sort(),
      )

    const all = world.documents.flatMap((one) =>
      [...one.spaces].filter((id) => world.roleIn(user, id)).map((id) => ({ ...one, id })),
    )
    // What was asked for stands in an answer that finds nothing, too.
    const asked = (shown: unknown) => JSON.stringify(shown).replaceAll(name, '')
    const expression = `spaces/${name}`
    const content = asked((await house.attempt(user, 'guide_get_content', { expression })).whole)
    safe('get_content', content)
    expect(tells(content), says).toBe(here.length)
    const files = await asks.tool('guide_category_list_files', { name: 'spaces' })
    expect(files.value?.total ?? 0, says).toBe(all.length)

    const uris = (await house.resources(user)).filter((uri) => uri.startsWith('guide://spaces/'))
    safe('resources', uris)
    expect(uris.length, says).toBe(all.length)
    const uri = `guide://spaces/${name}/${wanted.path}`
    const isHere = here.includes(wanted)
    const read = await house.resource(user, uri).catch(() => '')
    safe('a resource', asked(read))
    expect(read.includes(wanted.word), `${says} by ${uri}`).toBe(isHere)
    const path = encodeURIComponent(`spaces/${name}/${wanted.path}`)
    const source = await house.send(user, 'GET', `/api/v1/guide/document?path=${path}`)
    safe('the source of a document', asked(source.text))
    expect(source.status, says).toBe(isHere ? 200 : 404)
    const found = JSON.stringify((await asks.rest(`/api/v1/find?q=${wanted.word}`)).groups)
    if (!world.readsShared(user, wanted)) expect(found, says).not.toContain(wanted.path)
  }
}

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface PackageRegistry {
  readonly url: string
  readonly tarball: string
  close(): void
}

/** A registry on loopback that offers this very package, packed, and sends npm to the real one for the others. */
export async function startPackageRegistry(): Promise<PackageRegistry> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const tarball = packTarball()
  const bytes = readFileSync(tarball)
  const beyond = realRegistry()
  const server = createServer(({ url = '/' }, response) => {
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    if (url === '/packed.tgz') return void response.end(bytes)
    if (decodeURIComponent(url.slice(1)) !== manifest.name)
      return void response.writeHead(307, { location: `${beyond.replace(/\/$/, '')}${url}` }).end()
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    const version = { ...manifest, dist: { tarball: `${at}/packed.tgz`, integrity } }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        name: manifest.name,
        'dist-tags': { latest: manifest.version },
        versions: { [manifest.version]: version },
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tarball,
    close: () => void server.close(),
  }
}

/** Where this machine's npm gets packages from. */
export function realRegistry(): string {
  return execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
}

/** What `npm publish` would send, from the build that is there. */
export function packTarball(): string {
  const folder = temporaryFolder()
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const packed: unknown = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
  const [{ filename }] = Object.values(packed as object) as [{ filename: string }]
  return join(folder, filename)
}

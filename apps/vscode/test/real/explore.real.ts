import { it } from 'vitest'
import { installVscode } from '../install-vscode.mjs'
import { RealVscode } from './real-vscode.ts'
const wait = (ms: number) => new Promise(r => setTimeout(r, ms))
it('explores', async () => {
  const vs = new RealVscode(installVscode())
  try {
    await vs.start(new URL('../../out/copilot-chat-secretary-0.1.0.vsix', import.meta.url).pathname)
    const w = await vs.open(vs.project('shop'))
    await wait(8000)
    console.log('activate', await w.ask('activate'))
    await w.command('perfview.show'); await wait(2000)
    const doc = await w.ask<string|null>('document'); console.log(doc?.split('\n').filter(l => /Load Code|^. (secretary|vscode)/.test(l)).join('\n') ?? 'no doc')
  } finally { await vs.stop() }
}, 400000)

import { it } from 'vitest'
import { installVscode } from '../install-vscode.mjs'
import { RealVscode } from './real-vscode.ts'
import { writeFileSync } from 'node:fs'

it('explores', async () => {
  const vs = new RealVscode(installVscode())
  console.log(vs.work)
  try {
    await vs.start(new URL('../../out/copilot-chat-secretary-0.1.0.vsix', import.meta.url).pathname)
    const w = await vs.open(vs.project('shop'))
    console.log(await w.ask('info'))
    console.log(await w.ask('activate'))
    console.log((await w.ask<{name:string}[]>('tools')).map(t => t.name).join(' '))
    console.log(await w.invoke('chat_secretary_get_request', {}))
    await w.command('workbench.view.extension.copilotChatSecretary')
    const cmds = await w.command<unknown>('copilotChatSecretary.api.getStatus')
    console.log(cmds)
    await new Promise(r => setTimeout(r, 4000))
    await w.page.screenshot({ path: '/tmp/vs-explore.png' })
    console.log((await w.ask<{name:string}[]>('tools')).map(t => t.name).join(' '))
    writeFileSync('/tmp/vs-port', JSON.stringify(vs.work))
  } finally { await vs.stop() }
}, 400000)

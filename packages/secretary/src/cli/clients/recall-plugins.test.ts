import { describe, expect, it } from 'vitest'
import { recallPlugins, withoutPlugin, withPlugin } from './recall-plugins.ts'

describe.each(Object.entries(recallPlugins))('the plugin for %s', (_id, pluginOf) => {
  const plugin = pluginOf(['secretary'])

  it('is written once, and brought up to date where it is an older one of ours', () => {
    const written = withPlugin('', plugin) ?? ''
    for (const word of ["ask('recall'", "'--hook'", '"secretary"']) expect(written).toContain(word)
    expect(withPlugin(written, plugin)).toBeUndefined()
    expect(withPlugin(written.replace('PATIENCE_MS = ', 'PATIENCE_MS = 1'), plugin)).toBe(written)
  })

  it('waits as long as the setting says, and a moment more', () => {
    const [, expression = ''] = /const PATIENCE_MS = (.+)/.exec(plugin.script) ?? []
    const patience = (env: object) => new Function('process', `return ${expression}`)({ env })
    expect(patience({})).toBe(2_500)
    expect(patience({ SECRETARY_HOOK_SECONDS: '10' })).toBe(10_500)
  })

  it('never replaces a file of somebody else', () => {
    expect(() => withPlugin('export const Mine = 1\n', plugin)).toThrow(SyntaxError)
    expect(withoutPlugin('export const Mine = 1\n')).toBeUndefined()
  })

  it('is removed whole, also after somebody changed it', () => {
    expect(withoutPlugin(`${plugin.script}// mine\n`)).toBe('')
  })
})

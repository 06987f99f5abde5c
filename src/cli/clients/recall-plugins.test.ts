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

  it('never replaces a file of somebody else', () => {
    expect(() => withPlugin('export const Mine = 1\n', plugin)).toThrow(SyntaxError)
    expect(withoutPlugin('export const Mine = 1\n')).toBeUndefined()
  })

  it('is removed whole, also after somebody changed it', () => {
    expect(withoutPlugin(`${plugin.script}// mine\n`)).toBe('')
  })
})

import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import english from '../package.nls.json' with { type: 'json' }
import russian from '../package.nls.ru.json' with { type: 'json' }

describe('the manifest', () => {
  it('says everything in English and in Russian, and nothing that nobody shows', () => {
    const used = [...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key)
    expect([...new Set(used)].sort()).toEqual(Object.keys(english).sort())
    expect(Object.keys(russian)).toEqual(Object.keys(english))
  })

  it('keeps the links and commands of a text in every language', () => {
    const links = (text: string) => text.match(/\(command:[^)]+\)|`[^`]+`/g) ?? []
    for (const [key, text] of Object.entries(english))
      expect(links(russian[key as keyof typeof russian]).sort()).toEqual(links(text).sort())
  })

  it('says where the project is and where to ask', () => {
    expect(manifest).toMatchObject({
      repository: { url: expect.stringMatching(/^https:/) },
      bugs: { url: expect.stringMatching(/^https:/) },
      homepage: expect.stringMatching(/^https:/),
      qna: expect.stringMatching(/^https:/),
    })
  })

  it('takes nothing from a workspace that is not trusted', () => {
    const settings = Object.keys(manifest.contributes.configuration.properties)
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces
    expect([...restrictedConfigurations].sort()).toEqual(settings.sort())
  })
})

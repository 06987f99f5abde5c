import { describe, expect, it } from 'vitest'
import { hidePrivateKeys, isPrivateKeyFile, linesWithKeys } from './private-keys.ts'

const kinds = ['RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ', 'DSA ', '']
const block = (kind: string, marks = '-----') =>
  `${marks}BEGIN ${kind}PRIVATE KEY${marks}\nMIIEsecret\nline2secret\n${marks}END ${kind}PRIVATE KEY${marks}`

describe('private keys in a text', () => {
  it.each(kinds)('of the kind "%s" are hidden, and every other line keeps its place', (kind) => {
    const text = `before\n${block(kind)}\nafter\n`
    const shown = hidePrivateKeys(text)
    expect(shown).not.toContain('secret')
    expect(shown.split('\n')).toHaveLength(text.split('\n').length)
    expect(shown.split('\n').at(0)).toBe('before')
    expect(shown.split('\n').at(5)).toBe('after')
    expect(isPrivateKeyFile(block(kind))).toBe(true)
    expect(isPrivateKeyFile(text)).toBe(false)
  })

  it('are hidden where several follow each other and where one never ends', () => {
    const text = `${block('')}\nx\n${block('RSA ')}\ny\n-----BEGIN PRIVATE KEY-----\ntornsecret`
    expect(hidePrivateKeys(text)).not.toContain('secret')
    expect(hidePrivateKeys(text)).toContain('\nx\n')
  })

  it('are hidden within the quotes of a JSON file, on one line', () => {
    const json = JSON.stringify({ type: 'service_account', private_key: block('') })
    expect(hidePrivateKeys(json)).not.toContain('secret')
    expect(hidePrivateKeys(json)).toContain('service_account')
  })

  it('say of every line of a file whether it belongs to one', () => {
    const lines = linesWithKeys(`x\n${block('')}\nafter\n`)
    expect([...lines.keys()]).toEqual([2, 3, 4, 5])
    expect(linesWithKeys('x\ny\n').size).toBe(0)
  })

  it('go on behind an end that is there to deceive, and beyond any length', () => {
    const body = 'aB3'.repeat(16)
    const text = `x\n-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n${`${body}\n`.repeat(2000)}y`
    expect(hidePrivateKeys(text)).not.toContain(body)
    expect(hidePrivateKeys(text)).toMatch(/^x\n[\s\S]*\ny$/)
  })

  it('leave the certificates beside them alone', () => {
    const certificate = `-----BEGIN CERTIFICATE-----\n${'MIID'.repeat(16)}\n-----END CERTIFICATE-----`
    expect(hidePrivateKeys(`${block('')}\n${certificate}\n`)).toContain(certificate)
  })

  const encoded = (text: string) => Buffer.from(text).toString('base64')
  it.each([
    ['SSH2', block('ENCRYPTED ', '----').replaceAll(/N (?=E)|-(?=B|E)|Y(?=-)/g, '$& ')],
    [
      'PuTTY',
      'PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nMIIEsecret\nPrivate-MAC: 0a1b',
    ],
    ['age', `# public key: age1x\nAGE-SECRET-KEY-1${'SECRET7Q'.repeat(7)}`],
    ['base64', `client-key-data: ${encoded(block('RSA '))}`],
    ['JSON Web Key', '{"kty":"EC","crv":"P-256","d": "MIIEsecret-7Q"}'],
  ])('in the form of %s are hidden, and so is each line of them from grep', (_form, key) => {
    const text = `before\n${key}\nafter\n`
    const shown = hidePrivateKeys(text)
    expect(shown).not.toMatch(/secret|MIIE|UFJJVkFURSBLRVk/i)
    expect(shown).toMatch(/^before\n[\s\S]*redacted[\s\S]*\nafter\n$/)
    const index = text.split('\n').findIndex((one) => /secret|MIIE|LS0t/i.test(one))
    expect(linesWithKeys(text).has(index + 1)).toBe(true)
  })

  it('leave a certificate in base64 and a public JSON Web Key alone', () => {
    const text = `ca: ${encoded('-----BEGIN CERTIFICATE-----\nMIIE\n')}\n{"kty":"EC","x":"abcdefghij"}`
    expect(hidePrivateKeys(text)).toBe(text)
  })

  it('leave public keys, certificates and talk about keys alone', () => {
    const text =
      '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----\nA PRIVATE KEY is secret.'
    expect(hidePrivateKeys(text)).toBe(text)
  })
})

import { describe, expect, it } from 'vitest'
import { isLeftOutFolderOfIndex, isLeftOutOfIndex, isNeverShown } from './excluded-paths.ts'

describe('what is never shown', () => {
  it.each([
    '.env',
    '.env-prod.json',
    '.envs/production/django',
    '.env.d/secrets.sh',
    '.envrc',
    'a/.ENV.local/x.ts',
    '.ssh/config',
    'home/.SSH/known_hosts',
    '.aws/credentials',
    '.kube/config',
    '.npmrc',
    'packages/a/.npmrc',
    '.netrc',
    '_netrc',
    '.git-credentials',
    '.pgpass',
    'id_rsa',
    'keys/id_ed25519',
    'id_work',
    'id_rsa.bak',
    'id_ecdsa_sk',
    'server.pem',
    'tls/Server.KEY',
    'vault.kdbx',
    'putty.ppk',
    'cert.p12',
    'AuthKey_ABC.p8',
    '.git/config',
    'mirror.git/config',
    'node_modules/x/index.js',
    'ｉｄ_rsa',
    '．env',
    'server.p\u200bem',
    'secret.pem.',
    'secret.pem ',
    'secret.pem::$DATA',
    'credentials',
    '.docker/config.json',
    '.npmrc.bak',
    '.netrc~',
    '.git-credentials.old.2',
    'tls/server.key.bak',
    'tls.pem.orig',
    '#id_rsa#',
    '.#.pgpass',
    '.server.key.swp',
    '.npmrc.swp',
    'credentials.json (1)',
    'terraform.tfstate.backup',
    'deploy/prod.env',
    '.cargo/credentials.toml',
    '.dev.vars',
    '.config/gh/hosts.yml',
    '.CONFIG/gcloud/x.db',
    'etc/ssh/ssh_host_ed25519_key',
    'github_ed25519',
    'config/secrets.yml',
    '.secrets.toml',
    '.authinfo',
  ])('%s', (path) => {
    expect(isNeverShown(path)).toBe(true)
    expect(isLeftOutOfIndex(path)).toBe(true)
  })

  it.each([
    'src/environment.ts',
    'app.environment.ts',
    '.gitignore',
    '.github/workflows/ci.yml',
    '.gitattributes',
    'src/id_generator.ts',
    'src/keys.ts',
    'src/key.rs',
    'docs/pem.md',
    'id_rsa.pub',
    'src/credentials.ts',
    'tokenizer.json',
    'monkey.ts',
    'src/env.ts',
    'digit',
    'src/secrets.ts',
    'docs/secrets.md',
    '.config/nvim/init.lua',
    'src/key.bak.ts',
    'notes.old',
    'src/copy.ts',
    'env.d.ts',
    'ssh_host_rsa_key.pub',
    '#notes#',
    'src/env/index.ts',
  ])('but not %s', (path) => expect(isNeverShown(path)).toBe(false))

  it('leaves built folders, caches, lock files and generated code out of the index', () => {
    for (const path of ['dist/a.js', 'a/build/b.ts', 'package-lock.json', 'x.min.js', 'a_pb2.py'])
      expect(isLeftOutOfIndex(path), path).toBe(true)
    for (const folder of ['node_modules', 'a/.venv', '.ssh', '.envs', 'x.git', 'coverage'])
      expect(isLeftOutFolderOfIndex(folder), folder).toBe(true)
    expect(isLeftOutOfIndex('src/distance.ts')).toBe(false)
    expect(isLeftOutFolderOfIndex('src/builder')).toBe(false)
  })
})

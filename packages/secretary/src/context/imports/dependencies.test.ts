import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts'
import { dependenciesOf } from './dependencies.ts'

function project(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

let stamp = 0
async function found(files: Readonly<Record<string, string>>, path: string): Promise<string[]> {
  const root = project(files)
  const { dependencies } = await dependenciesOf(
    root,
    { path, text: files[path] ?? '', modifiedMs: ++stamp },
    new AbortController().signal,
  )
  return dependencies.map((dependency) => `${dependency.type} ${dependency.path}`)
}

describe('dependencies of a file', () => {
  it('TypeScript: relative, .js for .ts, tsconfig paths, re-exports, dynamic import, require; packages and comments are left out', async () => {
    const files = {
      'tsconfig.json': '{"compilerOptions":{"baseUrl":".","paths":{"@/*":["src/*"]}}}',
      'src/a.ts': `import { b } from './b.js'
import type { C } from '@/deep/c'
import zod from 'zod'
import fs from 'node:fs'
export * from './d/index'
// import './not-there'
const e = await import('./e.ts')
const f = require('./f')
`,
      'src/b.ts': '',
      'src/deep/c.ts': '',
      'src/d/index.ts': '',
      'src/e.ts': '',
      'src/f.js': '',
      'node_modules/zod/package.json': '{"main":"index.js"}',
      'node_modules/zod/index.js': '',
    }
    expect(await found(files, 'src/a.ts')).toEqual([
      'import src/b.ts',
      'import src/deep/c.ts',
      'export src/d/index.ts',
      'dynamic src/e.ts',
      'require src/f.js',
    ])
  })

  it('TypeScript: a package of the same workspace, through its link and its exports map', async () => {
    const files = {
      'packages/a/src/a.ts': "import '@acme/b/part'",
      'packages/b/package.json': '{"name":"@acme/b","exports":{"./part":"./src/part.ts"}}',
      'packages/b/src/part.ts': 'export const part = 1',
    }
    const root = project(files)
    mkdirSync(join(root, 'node_modules/@acme'), { recursive: true })
    symlinkSync(join(root, 'packages/b'), join(root, 'node_modules/@acme/b'))
    const { dependencies } = await dependenciesOf(
      root,
      { path: 'packages/a/src/a.ts', text: files['packages/a/src/a.ts'], modifiedMs: 1 },
      new AbortController().signal,
    )
    expect(dependencies).toEqual([
      {
        path: 'packages/b/src/part.ts',
        type: 'import',
        level: 1,
        content: 'export const part = 1',
      },
    ])
  })

  it('TypeScript: a syntax error is named with its line', async () => {
    await expect(found({ 'a.ts': 'const a = 1\nconst b = {{\n' }, 'a.ts')).rejects.toMatchObject({
      message: 'Failed to parse imports',
      data: { path: 'a.ts', details: expect.stringMatching(/^Syntax error at line [23]$/) },
    })
  })

  it('Python: absolute, relative, packages and modules', async () => {
    const files = {
      'app/__init__.py': '',
      'app/main.py':
        'import os\nimport app.models.user as u\nfrom . import helpers\nfrom .models import user, Missing\nfrom ..outside import x\n',
      'app/helpers.py': '',
      'app/models/__init__.py': '',
      'app/models/user.py': '',
    }
    expect(await found(files, 'app/main.py')).toEqual([
      'import app/models/user.py',
      'import app/__init__.py',
      'import app/helpers.py',
      'import app/models/__init__.py',
    ])
  })

  it('Go: the packages of the module and of local replacements', async () => {
    const files = {
      'go.mod': 'module example.com/app\n\nreplace example.com/lib => ./lib\n',
      'cmd/main.go':
        'package main\nimport (\n\t"fmt"\n\tauth "example.com/app/internal/auth"\n\t"example.com/lib/x"\n)\n',
      'internal/auth/auth.go': 'package auth',
      'internal/auth/token.go': 'package auth',
      'internal/auth/auth_test.go': 'package auth',
      'lib/x/x.go': 'package x',
    }
    expect(await found(files, 'cmd/main.go')).toEqual([
      'import internal/auth/auth.go',
      'import internal/auth/token.go',
      'import lib/x/x.go',
    ])
  })

  it('Rust: mod, crate, super, self, nested use and a crate of the workspace', async () => {
    const files = {
      'Cargo.toml': '[dependencies]\nmy-lib = { path = "my-lib" }\n',
      'my-lib/src/lib.rs': '',
      'src/lib.rs': '',
      'src/a.rs':
        'mod b;\nuse crate::c::{d, e::{F, G}};\nuse super::h::Item;\nuse std::fmt;\nuse my_lib::Thing;\n',
      'src/a/b.rs': '',
      'src/c/mod.rs': '',
      'src/c/d.rs': '',
      'src/c/e.rs': '',
      'src/h.rs': '',
    }
    expect(await found(files, 'src/a.rs')).toEqual([
      'use src/a/b.rs',
      'use src/c/d.rs',
      'use src/c/e.rs',
      'use src/h.rs',
      'use my-lib/src/lib.rs',
    ])
  })

  it('Java: classes, static members, whole packages, from tests to main', async () => {
    const files = {
      'src/test/java/com/acme/AppTest.java':
        'package com.acme;\nimport com.acme.auth.Token;\nimport static com.acme.Names.FIRST;\nimport com.acme.model.*;\nimport java.util.List;\n',
      'src/main/java/com/acme/auth/Token.java': '',
      'src/main/java/com/acme/Names.java': '',
      'src/main/java/com/acme/model/A.java': '',
      'src/main/java/com/acme/model/B.java': '',
    }
    expect(await found(files, 'src/test/java/com/acme/AppTest.java')).toEqual([
      'import src/main/java/com/acme/auth/Token.java',
      'import src/main/java/com/acme/Names.java',
      'import src/main/java/com/acme/model/A.java',
      'import src/main/java/com/acme/model/B.java',
    ])
  })

  it.each(['main.c', 'main.cpp'])(
    'C and C++: own folder first, then include (%s)',
    async (name) => {
      const files = {
        [`src/${name}`]: '#include "util.h"\n#include <lib/api.h>\n#include <stdio.h>\n',
        'src/util.h': '',
        'include/util.h': '',
        'include/lib/api.h': '',
      }
      expect(await found(files, `src/${name}`)).toEqual([
        'include src/util.h',
        'include include/lib/api.h',
      ])
    },
  )

  it('Ruby: require_relative, require from lib, autoload', async () => {
    const files = {
      'lib/app.rb':
        "require 'json'\nrequire 'app/version'\nrequire_relative 'app/user'\nautoload :Tok, 'app/token'\nputs 'require me'\n",
      'lib/app/version.rb': '',
      'lib/app/user.rb': '',
      'lib/app/token.rb': '',
    }
    expect(await found(files, 'lib/app.rb')).toEqual([
      'require lib/app/version.rb',
      'require lib/app/user.rb',
      'require lib/app/token.rb',
    ])
  })

  it('PHP: PSR-4 names, groups, and included files', async () => {
    const files = {
      'composer.json': '{"autoload":{"psr-4":{"App\\\\":"src/","App\\\\Deep\\\\":"deep/"}}}',
      'src/Main.php': `<?php
namespace App;
use App\\Models\\User;
use App\\{Post, Tag as T};
use App\\Deep\\Thing;
use Vendor\\Other;
require_once __DIR__ . '/helpers.php';
`,
      'src/Models/User.php': '',
      'src/Post.php': '',
      'src/Tag.php': '',
      'deep/Thing.php': '',
      'src/helpers.php': '',
    }
    expect(await found(files, 'src/Main.php')).toEqual([
      'use src/Models/User.php',
      'use src/Post.php',
      'use src/Tag.php',
      'use deep/Thing.php',
      'use src/helpers.php',
    ])
  })

  it('C#: the folder of a namespace, in this project and a neighbour', async () => {
    const files = {
      'src/Acme.Web/Acme.Web.csproj': '<Project/>',
      'src/Acme.Web/Program.cs':
        'using System;\nusing Acme.Web.Auth;\nusing static Acme.Core.Tools;\nusing X = Acme.Core.Models.Thing;\n',
      'src/Acme.Web/Auth/Login.cs': '',
      'src/Acme.Core/Acme.Core.csproj': '<Project/>',
      'src/Acme.Core/Tools.cs': '',
      'src/Acme.Core/Models/Thing.cs': '',
    }
    expect(await found(files, 'src/Acme.Web/Program.cs')).toEqual([
      'use src/Acme.Web/Auth/Login.cs',
      'use src/Acme.Core/Tools.cs',
      'use src/Acme.Core/Models/Thing.cs',
    ])
  })

  it('never leaves the project and never enters denied places', async () => {
    const files = {
      'a.py': 'from .. import secret\n',
      'b.c': '#include "../../etc/passwd"\n#include ".env"\n',
      '.env': 'SECRET',
    }
    expect(await found(files, 'a.py')).toEqual([])
    expect(await found(files, 'b.c')).toEqual([])
  })

  it('bounds the contents and says how to get the rest', async () => {
    const files: Record<string, string> = {
      'a.ts': Array.from({ length: 60 }, (_, n) => `import './m${n}.ts'`).join('\n'),
    }
    for (let n = 0; n < 60; n++) files[`m${n}.ts`] = `// ${'x'.repeat(20_000)}\n`
    const root = project(files)
    const answer = await dependenciesOf(
      root,
      { path: 'a.ts', text: files['a.ts'] ?? '', modifiedMs: 1 },
      new AbortController().signal,
    )
    expect(answer.dependencies).toHaveLength(50)
    expect(answer.left).toBe(10)
    expect(JSON.stringify(answer.dependencies).length).toBeLessThan(450_000)
    expect(answer.dependencies.at(-1)?.omitted).toContain('read_file')
  })

  it('looks up each name once, and no more of them than people write', async () => {
    const text = `package a\nimport (\n${'"shop/a"\n'.repeat(5_000)})\n`
    const names = Array.from({ length: 3_000 }, (_, n) => `import './m${n}.ts'`)
    const files: Record<string, string> = {
      'go.mod': `module shop\n${'// a long manifest\n'.repeat(20_000)}`,
      'b/b.go': text,
      'a/a.go': 'package a\n',
      'many.ts': [...names, "import './last.ts'"].join('\n'),
      'last.ts': '',
      'm0.ts': '',
    }
    expect(await found(files, 'b/b.go')).toEqual(['import a/a.go'])
    expect(await found(files, 'many.ts')).toEqual(['import m0.ts'])
  })
})

import { describe, expect, it } from 'vitest'
import { isImportsOnly } from './search-all.ts'

describe('a passage that is only imports', () => {
  it.each([
    [
      'TypeScript',
      "// Template: ./README.md\nimport * as z from 'zod'\nimport {\n  a,\n  b,\n} from './b.ts'\n\nexport { c } from './c.ts'\n",
    ],
    ['JavaScript', "'use strict'\nconst { a } = require('a')\nvar b = require('b').c;\n"],
    [
      'Python',
      'from __future__ import annotations\n\nimport os\nfrom .a import (\n    b,\n    c,\n)\n',
    ],
    ['Go', 'package gin\n\nimport (\n\t"fmt"\n\t"net/http"\n)\n'],
    ['Rust', 'use std::{\n    fmt,\n    io,\n};\npub(crate) use crate::a;\n'],
    ['Java', 'package com.a;\n\nimport java.util.List;\nimport static a.B.c;\n'],
    ['C', '#include "uv.h"\n#include <stdio.h>\n'],
    ['Ruby', "require 'rack'\nrequire_relative 'base'\n"],
    ['C#', 'using System;\nusing System.Linq;\n'],
  ])('is told in %s', (_, content) => {
    expect(isImportsOnly(content)).toBe(true)
  })

  it.each([
    ["import a from 'a'\n\nexport const LIMIT = 3\n"],
    ['import os\n\ndef f():\n    pass\n'],
    ['"""Signs cookies.\n\nTwo lines."""\nimport os\n'],
    ['// What this file does,\n// in two lines.\nimport java.util.List;\n'],
    ['#include <stdio.h>\n#define MAX 3\n'],
    ['package main\n\nfunc main() {}\n'],
    ["export async function load() {\n  await import('./a.ts')\n}\n"],
    ['plain text\n'],
    [''],
  ])('is not one that says anything itself: %j', (content) => {
    expect(isImportsOnly(content)).toBe(false)
  })

  it('is not so long, whatever it begins with', () => {
    for (const part of ['import a\n', 'use a\n', 'const a\n', 'from a import (\n', "import {'"])
      expect(isImportsOnly(part.repeat(100_000))).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { fileRoles } from './file-role.ts'
import { nameMatch, pathWords } from './path-words.ts'
import { quantise } from './quantise.ts'
import { readQuery } from './query.ts'
import { createVectorMatrix } from './vector-matrix.ts'

describe('a query, read', () => {
  it('drops words that tell nothing, unless there is nothing else', () => {
    expect(readQuery('how does the router match').terms).toEqual(['router', 'match'])
    expect(readQuery('how to do this').terms).not.toEqual([])
  })

  it('takes a single word for a name, and of a qualified one the last part', () => {
    expect(readQuery('Sinatra::Base')).toMatchObject({ isSymbol: true, names: ['base'] })
    expect(readQuery('render_template')).toMatchObject({ isSymbol: true, names: ['rendertemplate'] })
  })

  it('finds in prose only the names that are spelled like code', () => {
    expect(readQuery('how createStore and res.sendFile work with Plain words').names).toEqual(['createstore', 'sendfile'])
  })

  it('joins neighbouring words as code would', () => {
    expect(readQuery('thread pool workers').compounds).toEqual(
      expect.arrayContaining(['threadpool', 'poolworkers', 'poolworker', 'threadpoolworkers']),
    )
  })
})

describe('the role of a file', () => {
  it.each([
    ['src/store.ts', []],
    ['src/store.test.ts', ['test']],
    ['tests/run.py', ['test']],
    ['src/test/java/com/a/GsonTest.java', ['test']],
    ['pkg/tree_test.go', ['test']],
    ['examples/app.js', ['example']],
    ['lib/compat.py', ['compat']],
    ['src/idna.h', ['declaration']],
    ['types/index.d.ts', ['declaration']],
    ['src/win/tty.c', ['otherPlatform']],
    ['src/window.ts', []],
    ['src/contest.ts', []],
    ['README.md', ['prose']],
  ])('of %s is %j on Linux', (path, roles) => {
    expect(fileRoles(path, 'linux')).toEqual(roles)
  })

  it('depends on the platform at hand', () => {
    expect(fileRoles('src/win/tty.c', 'win32')).toEqual([])
  })
})

describe('the words of a path', () => {
  it('compares the name of the file, by the beginnings of words that tell something', () => {
    const words = pathWords('src/config.py')
    const query = readQuery('configuration loading')
    expect(nameMatch(pathWords('src/form.py'), readQuery('settings for users'))).toBe(0)
    expect(nameMatch(words, query)).toBe(1)
  })

  it('takes the folder for the name where the file only opens it', () => {
    expect(pathWords('axum/src/extract/mod.rs').name).toEqual(['extract'])
    expect(pathWords('pkg/session/__init__.py').name).toEqual(['session'])
  })
})

describe('the vectors in memory', () => {
  const random = (seed: number) => {
    let state = seed
    return () => {
      state = (state * 1103515245 + 12345) % 2147483648
      return state / 2147483648 - 0.5
    }
  }
  const vector = (next: () => number) => Float32Array.from({ length: 64 }, next)

  it('finds the nearest by signature first, nearly as well as exactly', () => {
    const next = random(1)
    const matrix = createVectorMatrix()
    const rows = Array.from({ length: 9000 }, (_, id) => ({ id: id + 1, vector: vector(next) }))
    for (const row of rows) matrix.add(row.id, quantise(row.vector))
    const target = rows[4321] as (typeof rows)[number]
    const query = quantise(target.vector.map((value) => value + next() * 0.2))
    expect(matrix.nearest(query, 3)[0]?.id).toBe(target.id)
    expect(matrix.comparer(query)(target.id)).toBeCloseTo(matrix.nearest(query, 1)[0]?.score ?? 0, 5)
  })

  it('passes over vectors of another dimension, and knows nothing of an id it never had', () => {
    const matrix = createVectorMatrix()
    matrix.add(1, Int8Array.of(1, 0))
    matrix.add(2, Int8Array.of(1, 0, 0))
    expect([matrix.rows, matrix.lastId, matrix.comparer(Int8Array.of(1, 0))(9)]).toEqual([1, 1, 0])
  })
})

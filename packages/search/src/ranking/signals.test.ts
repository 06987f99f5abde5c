import { describe, expect, it } from 'vitest'
import { quantise } from '../embedder/embedder.ts'
import { createVectorMatrix } from '../vectors/vector-matrix.ts'
import { fileRoles } from './file-role.ts'
import { nameMatch, pathWords } from './project-memory.ts'
import { readQuery } from './query.ts'

describe('a query, read', () => {
  it('drops words that tell nothing, unless there is nothing else', () => {
    expect([...readQuery('how does the router match').terms.keys()]).toEqual(['router', 'match'])
    expect([...readQuery('how to do this').terms.keys()]).not.toEqual([])
  })

  it('takes a single word for a name, and of a qualified one the last part', () => {
    expect(readQuery('Sinatra::Base')).toMatchObject({ isSymbol: true, names: ['base'] })
    expect(readQuery('render_template')).toMatchObject({
      isSymbol: true,
      names: ['rendertemplate'],
    })
  })

  it('finds in prose only the names that are spelled like code', () => {
    expect(readQuery('how createStore and res.sendFile work with Plain words').names).toEqual([
      'createstore',
      'sendfile',
    ])
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
    ['src/templates/order.html', ['resource']],
    ['src/strings.json', ['resource']],
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
  const cosine = (a: Int8Array, b: Int8Array) => {
    const product = (x: Int8Array, y: Int8Array) =>
      x.reduce((sum, value, nth) => sum + value * (y[nth] ?? 0), 0)
    return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
  }
  const vector = (next: () => number) => Float32Array.from({ length: 64 }, next)

  it('finds the nearest of many, as a plain product does', () => {
    const next = random(1)
    const matrix = createVectorMatrix()
    const rows = Array.from({ length: 9000 }, (_, id) => ({ id: id + 1, vector: vector(next) }))
    for (const row of rows) matrix.add(row.id, quantise(row.vector))
    const target = rows[4321] as (typeof rows)[number]
    const query = quantise(target.vector.map((value) => value + next() * 0.2))
    const plain = rows
      .map((row) => ({ id: row.id, score: cosine(quantise(row.vector), query) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 50)
    const similarities = matrix.similarities(query)
    expect(plain[0]?.id).toBe(target.id)
    expect(similarities.nearest(50).map(({ id }) => id)).toEqual(plain.map(({ id }) => id))
    for (const { id, score } of plain) expect(similarities.scoreOf(id)).toBeCloseTo(score, 5)
  })

  it('passes over vectors of another dimension, and knows nothing of an id it never had', () => {
    const matrix = createVectorMatrix()
    matrix.add(1, Int8Array.of(1, 0))
    matrix.add(2, Int8Array.of(1, 0, 0))
    const similarities = matrix.similarities(Int8Array.of(1, 0))
    expect([matrix.rows, matrix.lastId, similarities.scoreOf(1), similarities.scoreOf(9)]).toEqual([
      1, 1, 1, 0,
    ])
    expect([...matrix.similarities(Int8Array.of(1, 0, 0)).scores]).toEqual([0])
  })

  it('takes any dimension and the outermost values', () => {
    for (const length of [1, 15, 16, 17, 384, 1536]) {
      const matrix = createVectorMatrix()
      matrix.add(7, new Int8Array(length).fill(-128))
      matrix.add(9, new Int8Array(length).fill(127))
      const { scores, nearest } = matrix.similarities(new Int8Array(length).fill(-128))
      expect([...scores].map((score) => score.toFixed(5))).toEqual(['1.00000', '-1.00000'])
      expect(nearest(5).map(({ id }) => id)).toEqual([7, 9])
    }
  })

  it('holds what it said while more vectors come', () => {
    const matrix = createVectorMatrix()
    matrix.add(1, Int8Array.of(3, 4))
    const before = matrix.similarities(Int8Array.of(3, 4))
    for (let id = 2; id < 30_000; id++) matrix.add(id, Int8Array.of(4, -3))
    expect(before.nearest(9)).toEqual([{ id: 1, score: 1 }])
    expect(matrix.similarities(Int8Array.of(4, -3)).nearest(2)).toEqual([
      { id: 2, score: 1 },
      { id: 3, score: 1 },
    ])
  })
})

import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Stands for a value while a query is compiled. */
class Parameter {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** A query that is built and compiled once for each connection, since that takes longer than running it; only its parameters change. */
export function compiledOnce<P extends object, R>(
  build: (db: Kysely<Tables>, parameters: P) => Compilable<R>,
) {
  const marks = new Proxy({} as P, { get: (_, name) => new Parameter(name) })
  const compiled = new WeakMap<Kysely<Tables>, CompiledQuery<R>>()
  return async (db: Kysely<Tables>, values: P): Promise<R[]> => {
    const known = compiled.get(db) ?? build(db, marks).compile()
    compiled.set(db, known)
    const parameters = known.parameters.map((value) =>
      value instanceof Parameter ? values[value.name as keyof P] : value,
    )
    return (await db.executeQuery<R>({ ...known, parameters })).rows
  }
}

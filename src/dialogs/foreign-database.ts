export type ForeignRow = Readonly<Record<string, unknown>>

/** Another program's SQLite file, opened to read and in no way to disturb: nothing is written and nobody has to wait. */
export interface ForeignDatabase {
  rows(sql: string, ...parameters: (string | number)[]): ForeignRow[]
}

/** Opens, lets work be done, closes. */
export type OpenForeign = <T>(path: string, work: (database: ForeignDatabase) => T) => Promise<T>

/** Raised with every change of the tables below or of how terms are made: an index of another version is rebuilt, never migrated. */
export const INDEX_VERSION = 7

/** Terms arrive stemmed and in lower case, so the plainest tokenizer does. */
export const INDEX_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, size INTEGER NOT NULL, mtime_ms REAL NOT NULL,
  language TEXT NOT NULL, title TEXT NOT NULL, outline TEXT NOT NULL
);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT, file_id INTEGER NOT NULL, line INTEGER NOT NULL, end_line INTEGER NOT NULL,
  kind TEXT NOT NULL, symbols TEXT NOT NULL, scope TEXT NOT NULL, content TEXT NOT NULL
);
CREATE INDEX chunks_by_file ON chunks (file_id);
CREATE TABLE definitions (term TEXT NOT NULL, name TEXT NOT NULL, weight REAL NOT NULL, chunk_id INTEGER NOT NULL, file_id INTEGER NOT NULL);
CREATE INDEX definitions_by_term ON definitions (term, weight DESC);
CREATE INDEX definitions_by_file ON definitions (file_id);
CREATE VIRTUAL TABLE chunk_terms USING fts5 (body, path, symbols, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE VIRTUAL TABLE chunk_vocabulary USING fts5vocab (chunk_terms, row);
CREATE TABLE notes (
  key INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL, id TEXT NOT NULL, source TEXT NOT NULL, type TEXT,
  content TEXT NOT NULL, neighbours TEXT, module TEXT, session TEXT, date TEXT NOT NULL, access_count INTEGER NOT NULL,
  UNIQUE (scope, id)
);
CREATE VIRTUAL TABLE note_terms USING fts5 (body, neighbours, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE TABLE vectors (
  model TEXT NOT NULL, owner TEXT NOT NULL, id INTEGER NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (owner, id, model)
) WITHOUT ROWID;
CREATE TABLE sign_blocks (model TEXT NOT NULL, last_id INTEGER NOT NULL, ids BLOB NOT NULL, signs BLOB NOT NULL, PRIMARY KEY (model, last_id));
CREATE TABLE common_terms (term TEXT PRIMARY KEY, chunks INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE scored_terms (term TEXT PRIMARY KEY, last_id INTEGER NOT NULL, most REAL NOT NULL, scores BLOB NOT NULL);
CREATE INDEX scored_terms_by_age ON scored_terms (last_id);
CREATE TABLE vector_cache (model TEXT NOT NULL, hash TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, hash)) WITHOUT ROWID;
CREATE TABLE indexing (one INTEGER PRIMARY KEY CHECK (one = 1), pid INTEGER NOT NULL, heartbeat_ms REAL NOT NULL);
CREATE TABLE totals (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
${['files', 'chunks', 'notes'].map((table) => counted(table, `'${table}'`, `'${table}'`)).join('')}
${counted('vectors', "'vectors ' || new.model", "'vectors ' || old.model")}
`

/** Counting a million rows takes longer than a search: what is asked at every search is kept up to date instead. */
function counted(table: string, added: string, removed: string): string {
  return `
CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
  INSERT INTO totals VALUES (${added}, 1) ON CONFLICT (name) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN
  UPDATE totals SET n = n - 1 WHERE name = ${removed};
END;`
}

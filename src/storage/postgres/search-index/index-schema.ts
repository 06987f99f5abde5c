/** Raised with every change of the tables below or of how terms are made: an index of another version is rebuilt, never migrated. */
export const INDEX_VERSION = 2

export const DROP_INDEX = `
drop table if exists search_meta, search_files, search_chunks, search_definitions, search_notes, search_vectors, search_vector_cache, search_indexing;
`

/**
 * Every project shares these tables. Terms arrive stemmed and in lower case and go into a tsvector by the 'simple' configuration;
 * its weight labels tell symbols (A), path or neighbours (B) and body (D) apart.
 */
export const INDEX_SCHEMA = `
create table search_meta (project text not null, key text not null, value text not null, primary key (project, key));
create table search_files (
  id bigserial primary key, project text not null, path text not null, hash text not null, size bigint not null, mtime_ms double precision not null,
  language text not null, title text not null, outline text not null, unique (project, path)
);
create table search_chunks (
  id bigserial primary key, project text not null, file_id bigint not null references search_files on delete cascade, line integer not null,
  end_line integer not null, kind text not null, symbols text not null, scope text not null, content text not null,
  terms tsvector not null, length integer not null
);
create table search_definitions (
  project text not null, term text not null, name text not null, weight real not null,
  chunk_id bigint not null references search_chunks on delete cascade, file_id bigint not null
);
create table search_notes (
  key bigserial primary key, project text not null, id text not null, source text not null, type text, content text not null, neighbours text,
  module text, session text, date text not null, access_count integer not null, terms tsvector not null, length integer not null, unique (project, id)
);
create table search_vectors (
  project text not null, model text not null, owner text not null, id bigint not null, vector bytea not null, primary key (project, model, owner, id)
);
create table search_vector_cache (model text not null, hash text not null, vector bytea not null, primary key (model, hash));
create table search_indexing (project text primary key, host text not null, pid integer not null, heartbeat_ms double precision not null);
create index search_chunks_by_file on search_chunks (file_id);
create index search_chunks_by_project on search_chunks (project, id);
create index search_chunks_by_terms on search_chunks using gin (terms);
create index search_notes_by_terms on search_notes using gin (terms);
create index search_definitions_by_term on search_definitions (project, term);
create index search_definitions_by_chunk on search_definitions (chunk_id);
`

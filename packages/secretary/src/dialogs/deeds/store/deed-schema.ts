/** Raised with every change of the tables or of how deeds are read: an index of another version is read again. */
export const DEED_VERSION = 7

export const DEED_SCHEMA = `
CREATE TABLE dialogs (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, session TEXT NOT NULL, source TEXT NOT NULL, project TEXT, lead TEXT,
  repository TEXT
);
CREATE INDEX dialogs_by_session ON dialogs (session);
CREATE INDEX dialogs_by_lead ON dialogs (lead) WHERE lead IS NOT NULL;
CREATE INDEX dialogs_by_project ON dialogs (project);
CREATE TABLE paths (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE deeds (
  id INTEGER PRIMARY KEY, dialog INTEGER NOT NULL, at INTEGER NOT NULL, place INTEGER NOT NULL, time INTEGER NOT NULL,
  kind INTEGER NOT NULL, path INTEGER, plus INTEGER, minus INTEGER, came BLOB, gone BLOB, words TEXT,
  text TEXT, command INTEGER, exit INTEGER, tail TEXT, call TEXT, since INTEGER,
  facts TEXT
);
CREATE UNIQUE INDEX deeds_by_place ON deeds (dialog, at, place);
CREATE INDEX deeds_by_path ON deeds (path) WHERE came IS NOT NULL;
CREATE INDEX deeds_by_command ON deeds (command, time) WHERE command IS NOT NULL;
CREATE TABLE lines (print INTEGER NOT NULL, deed INTEGER NOT NULL, PRIMARY KEY (print, deed)) WITHOUT ROWID;
`

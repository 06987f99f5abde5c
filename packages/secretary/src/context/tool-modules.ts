// Importing a tool's file declares it; lists are in the order of names.
import './tools/context-search.ts'
import './tools/read-file.ts'
import './tools/grep-codebase.ts'
import './tools/record-discovery.ts'
import './tools/context-pack.ts'

// Importing a tool's file declares it; the order here is the order in every list.
import './tools/context-search.ts'
import './tools/read-file.ts'
import './tools/grep-codebase.ts'
import './tools/record-discovery.ts'
import './tools/context-pack.ts'

// Importing a tool's file declares it; the order here is the order in every list.
import './tools/get-content.ts'
import './tools/set-project-flag.ts'
import './tools/get-project-flag.ts'
import './tools/list-project-flags.ts'
import './tools/set-feature-flag.ts'
import './tools/get-feature-flag.ts'
import './tools/list-feature-flags.ts'

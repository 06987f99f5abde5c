// Importing a tool's file declares it; the order here is the order in every list.
import './tools/get-request.ts'
import './tools/get-first-request.ts'
import './tools/list-requests.ts'
import './tools/search-requests.ts'
import './tools/list-dialogs.ts'
import './tools/recall.ts'
import './tools/why.ts'

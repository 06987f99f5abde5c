import { api } from './commands/api.ts'
import { chooseFilter } from './commands/choose-filter.ts'
import { jsonOf, markdownOf } from './commands/dialog-texts.ts'
import { Dashboard } from './server/dashboard.ts'
import { trustRules } from './server/trust-rules.ts'
import { exportChat } from './sessions/chat-export.ts'
import { editorToolbox } from './sessions/editor-toolbox.ts'

/** Everything that only a first use needs, in one file: each part more would bring a shared file to activation. */
export const firstUse = {
  api,
  chooseFilter,
  Dashboard,
  editorToolbox,
  exportChat,
  jsonOf,
  markdownOf,
  trustRules,
}

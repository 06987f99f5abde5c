import type { ColumnType, Generated } from 'kysely'
import type { AuditEntry, SpaceRole } from '../space.ts'

/** Times are ISO 8601 text on both engines: they sort as they read. */
export interface Tables {
  tasks: TaskTable
  task_requests: TaskRequestTable
  pins: PinTable
  dismissals: DismissalTable
  tokens: TokenTable
  browser_sessions: BrowserSessionTable
  sign_in_codes: SignInCodeTable
  spaces: SpaceTable
  space_members: SpaceMemberTable
  space_invitations: SpaceInvitationTable
  audit_log: AuditTable
  space_documents: SpaceDocumentTable
  shared_requests: SharedRequestTable
  request_sharing: RequestSharingTable
  unshared_dialogs: UnsharedDialogTable
  tool_tallies: TallyTable
  shared_documents: ServerDocumentTable
  shared_versions: SharedVersionTable
  calls: CallTable
  call_days: CallDayTable
  discoveries: DiscoveryTable
  file_accesses: FileAccessTable
  context_sessions: ContextSessionTable
  dialogs: DialogTable
  conversations: ConversationTable
  messages: MessageTable
  guide_projects: GuideProjectTable
  guide_selections: GuideSelectionTable
  guide_profiles: GuideProfileTable
  guide_flags: GuideFlagTable
  sync_segments: SyncSegmentTable
}

interface TaskTable {
  id: Generated<number>
  user_id: string
  title: string
  description: string | null
  /** 0 or 1: SQLite has no booleans, and one type serves both engines. */
  completed: ColumnType<number, number | undefined, number>
  created_at: string
  updated_at: string | null
  /** Folder in which it was added. */
  project: string | null
  /** `doing` or `blocked`; null where it is open or done. */
  state: string | null
  priority: string | null
  /** JSON lists of texts; null where there are none. */
  labels: string | null
  files: string | null
  /** Among the others; minus the id where nobody moved it. */
  position: number | null
  /** Whom it is shared with; null where with nobody. */
  space_id: string | null
  /** Its name on all machines of its owner; null until it was synced. */
  sync_id: string | null
}

interface SpaceTable {
  id: string
  name: string
  project: string | null
  created_by: string
  created_at: string
}

interface SpaceMemberTable {
  space_id: string
  user_id: string
  role: SpaceRole
}

interface SpaceInvitationTable extends SpaceMemberTable {
  invited_by: string
  invited_at: string
}

interface SpaceDocumentTable {
  space_id: string
  path: string
  content: string
  author: string
  updated_at: string
}

interface AuditTable {
  id: Generated<number>
  at: string
  user_id: string
  space_id: string
  action: string
  subject_kind: AuditEntry['subject']['kind']
  subject_id: string
  text: string
}

interface TaskRequestTable {
  task_id: number
  session_id: string
  request_index: number
}

interface PinTable {
  id: Generated<number>
  user_id: string
  project: string
  session_id: string
  request_index: number
  source: string
  text: string
  pinned_at: number
}

interface TokenTable {
  id: string
  user_id: string
  role: string
  label: string
  /** SHA-256 of the token; the token itself is shown once and never kept. */
  hash: string
  created_at: string
  expires_at: string
  revoked_at: string | null
}

interface GrantColumns {
  /** SHA-256 of what the browser has. */
  hash: string
  kind: 'owner' | 'token' | 'jwt'
  /** SHA-256 of the token that it came from. */
  token_hash: string
  user_id: string
  token_ends_at: string | null
  expires_at: string
}

interface BrowserSessionTable extends GrantColumns {
  created_at: string
}

interface SignInCodeTable extends GrantColumns {
  /** The session that it gave; null until it is used. */
  session_hash: string | null
}

interface TallyTable {
  tool: string
  user_id: string
  hour: string
  key: string
  /** Which server counted it; empty where there is only one. */
  replica: string
  count: number
}

interface ServerDocumentTable {
  path: string
  content: string
  /** 1 for one that was removed: the row only tells that it was there. */
  removed: number
  author: string
  updated_at: string
  /** Another one for every writing. */
  stamp: string
}

interface SharedVersionTable {
  name: string
  version: number
}

interface CallTable {
  id: Generated<number>
  at: string
  user_id: string
  agent: string | null
  project: string
  session: string | null
  tool: string
  ms: number
  tokens: number
  error: string | null
  /** JSON, without secrets and contents. */
  arguments: string
  answer: string | null
  by_page: number
}

interface CallDayTable {
  day: string
  user_id: string
  agent: string
  project: string
  tool: string
  calls: number
  failed: number
  tokens: number
  /** Of all calls together. */
  ms: number
}

export interface DiscoveryTable {
  id: string
  user_id: string
  project: string
  type: string
  content: string
  module: string | null
  session: string | null
  origin: string
  confidence: number
  created_at: string
  /** JSON list of `{path, hash}`. */
  files: string
  access_count: Generated<number>
  last_access_at: string | null
  archived: Generated<number>
  /** What it says, in a form that repetition shares. */
  said: string | null
  /** The older one that it speaks after. */
  follows: string | null
  /** JSON list of `{dialog, request, date}`. */
  sources: Generated<string>
  /** The space that it belongs to; null where it is its author's own. */
  space_id: string | null
  /** Of one that was drawn from a dialog: `confirmed`, `dismissed`, or null while it is a suggestion. */
  verdict: string | null
}

interface FileAccessTable {
  user_id: string
  project: string
  path: string
  count: number
  first_access_at: string
  last_access_at: string
}

interface ContextSessionTable {
  user_id: string
  project: string
  id: string
  client: string | null
  started_at: string
  last_active_at: string
  ended_at: string | null
  calls: number
  /** JSON list of texts. */
  topics: string
  /** JSON list of `{path, count, first, last}`. */
  files: string
}

export interface DialogTable {
  /** One person on one machine. */
  owner: string
  key: string
  session_id: string
  source: string
  project: string | null
  title: string | null
  /** Milliseconds since 1970, as the agents' own files have them. */
  first_seen: number
  last_seen: number
  requests_count: number
  status: string
  first_request_preview: string | null
  agent_id: string | null
  model_id: string | null
  chat_json_path: string | null
  size: number
  mtime_ms: number
  /** JSON: what a reader needs to go on from where it stopped. */
  reading: string
  /** Which change it was, by our clock unless that was set back: a later one has a higher number. */
  stored_at: number
  /** 1 for a dialog that was deleted: the row only tells that it was there. */
  removed: number
}

interface ConversationTable {
  id: string
  user_id: string
  title: string
  created_at: string
  updated_at: string
}

interface MessageTable {
  id: Generated<number>
  conversation_id: string
  sender: string
  content: string
  /** JSON of a call that waits for the person's word. */
  pending: string | null
  created_at: string
}

/** What a person dismissed from the things that need them. */
interface DismissalTable {
  user_id: string
  need: string
  /** Milliseconds since 1970. */
  dismissed_at: number
}

interface GuideProjectTable {
  /** Hash of the real path. */
  key: string
  name: string
  path: string
  created_at: string
}

interface GuideSelectionTable {
  project: string
  kind: 'category' | 'collection'
  name: string
  dir: string
  /** JSON list of patterns or expressions. */
  items: string
  description: string
  /** 1 hides a default of the same name. */
  removed: number
}

interface GuideProfileTable {
  project: string
  name: string
}

interface GuideFlagTable {
  /** A project's key, or `*` for all projects. */
  scope: string
  name: string
  /** JSON. */
  value: string
  updated_at: string
}

/** Logs of a person's machines; nobody else reads them. */
interface SyncSegmentTable {
  user_id: string
  machine: string
  generation: number
  sequence: number
  /** Base64, which a backup can hold. */
  content: string
  written_at: string
}

/** A request that somebody shares with a space, with what was done for it. */
export interface SharedRequestTable {
  space_id: string
  user_id: string
  session_id: string
  position: number
  /** The same for every clone of the repository. */
  project: string
  source: string
  asked_at: string
  request: string
  answer: string | null
  /** Files that were changed, a line each, with a line break before and after each. */
  files: string
  /** JSON list of packed deeds. */
  deeds: string
  shared_at: string
}

/** The later dialogs of a project are shared without being asked again. */
interface RequestSharingTable {
  user_id: string
  project: string
  space_id: string
  since: string
}

/** Taken back, and so left out of what is shared without being asked again. */
interface UnsharedDialogTable {
  user_id: string
  session_id: string
  space_id: string
}

import { agentName } from '@secretary-mcp/transcripts/source-names.ts'
import { useEffect } from 'preact/hooks'
import { go, pathTo } from '../../live/router.ts'
import { shownPath, session as signedIn, useFamily } from '../../live/session.ts'
import { useStore } from '../../live/store.ts'
import { useQuery } from '../../live/use-query.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Pager } from '../../parts/pager.tsx'
import { plainTitle } from '../../parts/shown-text.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { StillReading } from '../../parts/still-reading.tsx'
import { shownTokens } from '../../parts/tokens.ts'
import { When } from '../../parts/when.tsx'
import { useTasksOfDialog } from '../tasks/request-links.ts'
import { ContinueDialog } from './continue-dialog.tsx'
import {
  type DialogTokens,
  dialogTitle,
  readThread,
  readTokens,
  type Thread,
} from './dialog-data.ts'
import { DialogDecisions } from './dialog-decisions.tsx'
import { FindInDialog } from './find-in-dialog.tsx'
import { JumpToRequest } from './jump-to-request.tsx'
import { RequestRail } from './request-rail.tsx'
import { ThreadPart } from './thread-part.tsx'
import { useLedger } from './use-ledger.ts'

const PAGE = 50
/** How many answers are asked for together. */
const PART = 10

/** A dialog as a thread; requests have the numbers that `get_request` gives them. */
export function DialogThread({ session, at }: { readonly session: string; readonly at?: number }) {
  const page = Math.floor(((at ?? 1) - 1) / PAGE)
  const thread = useQuery(`thread ${session} ${page}`, 'dialogs', (signal) =>
    readThread(session, page * PAGE, PAGE, signal),
  )
  const ledger = useLedger(session, thread.value?.revision, page * PAGE, PAGE)
  const tokens = useQuery(
    thread.value && `tokens ${session} ${thread.value.revision}`,
    undefined,
    (signal) => readTokens(session, signal),
  ).value
  const project = useStore(signedIn)?.project
  const linked = useTasksOfDialog(useFamily('tasks') ? session : undefined).value ?? []
  const show = (index: number) => go(pathTo(['dialogs'], { session, at: index }))
  const ready = thread.value !== undefined
  useEffect(() => {
    if (ready && at !== undefined) bringIntoView(at)
  }, [ready, at])
  return (
    <>
      <p class="crumb">
        <a href={pathTo(['dialogs'])}>Dialogs</a>
      </p>
      <Loaded query={thread} rows={8}>
        {({ dialog, revision, requests, total }) => (
          <>
            <PageHeader
              title={titleOfThread(dialog, requests)}
              lead={<About dialog={dialog} total={total} tokens={tokens} />}
            >
              <ContinueDialog dialog={dialog} />
            </PageHeader>
            {dialog.fileGone && (
              <p class="quiet-line">
                {agentName(dialog.source)} has deleted the file of this dialog. Secretary kept its
                words.
              </p>
            )}
            <StillReading note={ledger.note} reload={ledger.reload} />
            <DialogDecisions session={session} />
            {total === 0 && <Empty title="Nothing was asked in this dialog yet" />}
            {at !== undefined && at > total && total > 0 && (
              <Empty title={`There is no request ${at.toLocaleString()} in this dialog`}>
                <p>
                  <a href={pathTo(['dialogs'], { session, at: total })}>
                    Go to the latest, request {total.toLocaleString()}
                  </a>
                </p>
              </Empty>
            )}
            <div class="thread-tools">
              {total > 1 && (
                <JumpToRequest requests={requests} total={total} at={at} onJump={show} />
              )}
              {total > 0 && <FindInDialog session={session} />}
            </div>
            <div class="thread-and-rail">
              <ol class="thread">
                {partsOf(requests).map((part) => (
                  <ThreadPart
                    key={part[0]?.index}
                    session={session}
                    revision={revision}
                    requests={part}
                    marked={at}
                    deedsOf={ledger.deedsOf}
                    isHere={dialog.project === project}
                    tasks={linked}
                    tokens={tokens}
                    onAnswers={() => at !== undefined && bringIntoView(at)}
                  />
                ))}
              </ol>
              {total > 1 && <RequestRail session={session} requests={requests} at={at} />}
            </div>
            <Pager
              page={Math.min(page, Math.floor(Math.max(0, total - 1) / PAGE))}
              pageSize={PAGE}
              total={total}
              onPage={(next) => show(next * PAGE + 1)}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

/** Without a title of its own a dialog goes by its first request. */
function titleOfThread(dialog: Thread['dialog'], [first]: Thread['requests']): string {
  const title = dialog.title || first?.index !== 1 ? dialogTitle(dialog) : first.title
  return plainTitle(title) || 'Dialog'
}

/** The first of a page is where the page begins anyway. */
function bringIntoView(index: number): void {
  if (index % PAGE !== 1)
    document.getElementById(`request-${index}`)?.scrollIntoView({ block: 'start' })
}

function partsOf(requests: Thread['requests']): Thread['requests'][] {
  const count = Math.ceil(requests.length / PART)
  return Array.from({ length: count }, (_, part) => requests.slice(part * PART, (part + 1) * PART))
}

interface AboutProps {
  readonly dialog: Thread['dialog']
  readonly total: number
  readonly tokens: DialogTokens | undefined
}

function About({ dialog, total, tokens }: AboutProps) {
  return (
    <>
      {agentName(dialog.source)}
      {dialog.modelId && `, ${dialog.modelId}`}, {total.toLocaleString()}{' '}
      {total === 1 ? 'request' : 'requests'}, <When at={dialog.lastSeen} />
      {tokens && tokens.total.answers > 0 && (
        <span class="about-tokens">{shownTokens(tokens.total, tokens.currency)}</span>
      )}
      {dialog.project && <span class="path about-project">{shownPath(dialog.project)}</span>}
    </>
  )
}

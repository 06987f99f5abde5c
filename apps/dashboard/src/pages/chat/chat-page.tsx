import { usePlace } from '../../live/router.ts'
import { Markdown } from '../../parts/markdown/markdown.tsx'
import { withLinks } from '../../parts/markdown/with-links.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Pre } from '../../parts/scrollable.tsx'
import { Empty, Problem, Waiting } from '../../parts/states.tsx'
import type { Message, PendingCall, ToolUse } from './chat-data.ts'
import { ChatForm } from './chat-form.tsx'
import { ConversationList } from './conversation-list.tsx'
import { type Chat, useChat } from './use-chat.ts'
import { useStayAtEnd } from './use-stay-at-end.ts'

export function ChatPage() {
  const { query } = usePlace()
  const conversation = query.get('conversation') ?? undefined
  const { messages, growing, pending, problem, loading, say, stop } = useChat(conversation)
  const saidByPerson = messages.filter(({ sender }) => sender === 'user').length
  useStayAtEnd(conversation, saidByPerson, [messages, growing, pending])
  return (
    <div class="chat">
      <ConversationList current={conversation} />
      <div class="chat-main">
        <PageHeader title="Chat" lead="With an agent that has the same tools" />
        <div class="messages" role="log" aria-label="Conversation">
          {messages.length === 0 && !growing && !loading && <Beginnings say={say} />}
          {loading && <Waiting />}
          {messages.map((message, place) => (
            <MessageView key={place} message={message} />
          ))}
          {growing && (
            <MessageView
              message={{ sender: 'ai', content: growing.text, uses: growing.uses }}
              growing
            />
          )}
          {pending && !growing && <Confirmation call={pending} say={say} />}
          {problem && <Problem error={problem} />}
        </div>
        <ChatForm busy={growing !== undefined} onSay={say} onStop={stop} />
      </div>
    </div>
  )
}

type Say = Chat['say']

function MessageView({
  message,
  growing = false,
}: {
  readonly message: Message
  readonly growing?: boolean
}) {
  const { sender, content, uses = [] } = message
  return (
    <article
      class="message"
      data-sender={sender}
      aria-label={sender === 'user' ? 'You' : 'Secretary'}
      aria-busy={growing}
    >
      <h2 class="message-sender">{sender === 'user' ? 'You' : 'Secretary'}</h2>
      {uses.map((use, place) => (
        <Use key={place} use={use} />
      ))}
      {sender === 'user' ? (
        <p class="request-text">{content}</p>
      ) : (
        <Markdown text={withLinks(content)} headingsFrom={3} />
      )}
      {growing && content === '' && <p class="quiet-line">Thinking</p>}
    </article>
  )
}

const STATES: Readonly<Record<ToolUse['state'], string>> = {
  running: 'running',
  done: 'done',
  failed: 'failed',
}

function Use({ use: { name, args, state } }: { readonly use: ToolUse }) {
  return (
    <details class="use" data-state={state}>
      <summary>
        <code>{name}</code> <span class="quiet-line">{STATES[state]}</span>
      </summary>
      <Pre wrap>{JSON.stringify(args, null, 2)}</Pre>
    </details>
  )
}

/** The agent may not destroy anything before the person has said so. */
function Confirmation({ call, say }: { readonly call: PendingCall; readonly say: Say }) {
  return (
    <section class="confirmation" aria-label="Confirmation">
      <p>
        It wants to call <code>{call.name}</code>, which cannot be undone, with:
      </p>
      <Pre wrap>{JSON.stringify(call.args, null, 2)}</Pre>
      <div class="form-actions">
        <button type="button" class="button danger" onClick={() => say('yes')}>
          Yes, do it
        </button>
        <button type="button" class="button" onClick={() => say('no')}>
          No
        </button>
      </div>
    </section>
  )
}

const BEGINNINGS = [
  'What is left to do?',
  'Add a task to write the release notes',
  'What have I completed?',
]

function Beginnings({ say }: { readonly say: Say }) {
  return (
    <Empty title="Ask about your tasks, or have them changed">
      <p>
        With a model configured (<code>SECRETARY_MODEL</code>, <code>SECRETARY_MODEL_URL</code>) it
        understands free text; without one it follows simple rules, and says so.
      </p>
      <div class="form-actions beginnings">
        {BEGINNINGS.map((text) => (
          <button type="button" class="button" key={text} onClick={() => say(text)}>
            {text}
          </button>
        ))}
      </div>
    </Empty>
  )
}

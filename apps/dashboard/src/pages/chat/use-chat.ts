import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { go, pathTo } from '../../live/router.ts'
import { useStore } from '../../live/store.ts'
import { changed, versions } from '../../live/topics.ts'
import {
  chat,
  type Message,
  type PendingCall,
  readConversation,
  type ToolUse,
} from './chat-data.ts'

export interface Chat {
  readonly messages: readonly Message[]
  /** The answer that is being made. */
  readonly growing: { readonly text: string; readonly uses: readonly ToolUse[] } | undefined
  readonly pending: PendingCall | undefined
  readonly problem: Error | undefined
  readonly loading: boolean
  /** Whether the server has the message; one that it has not is the person's to send again. */
  say(text: string): Promise<boolean>
  stop(): void
}

/** A message on its way to its answer. It goes on when the person looks elsewhere, and then shows nothing. */
interface Exchange {
  readonly abort: AbortController
  conversation: string | undefined
}

export function useChat(conversationId: string | undefined): Chat {
  const [messages, setMessages] = useState<readonly Message[]>([])
  const [growing, setGrowing] = useState<Chat['growing']>()
  const [pending, setPending] = useState<PendingCall>()
  const [problem, setProblem] = useState<Error>()
  const [loading, setLoading] = useState(false)
  const version = useStore(versions).chat
  const current = useRef<string>()
  const unread = useRef<Error>()
  const shown = useRef<Exchange>()

  useEffect(() => {
    // A conversation that just began here is already on screen.
    if (conversationId === current.current) return
    current.current = conversationId
    shown.current = undefined
    setMessages([])
    setGrowing(undefined)
    setPending(undefined)
    setProblem(undefined)
    setLoading(conversationId !== undefined)
  }, [conversationId])

  useEffect(() => {
    if (!conversationId || shown.current) return
    const abort = new AbortController()
    readConversation(conversationId, abort.signal).then(
      ({ messages: stored, needs_confirmation }) => {
        if (abort.signal.aborted || shown.current) return
        setMessages((before) => stored.map((message, place) => sameAs(before[place], message)))
        setPending(needs_confirmation)
        setLoading(false)
        // What could not be read before has been read now; what could not be sent is still to be sent.
        setProblem((before) => (before === unread.current ? undefined : before))
      },
      (error: Error) => {
        if (abort.signal.aborted) return
        unread.current = error
        setProblem(error)
        setLoading(false)
      },
    )
    return () => abort.abort()
  }, [conversationId, version])

  useEffect(
    () => () => {
      shown.current = undefined
    },
    [],
  )

  const say = useCallback(
    async (text: string) => {
      const mine: Exchange = { abort: new AbortController(), conversation: undefined }
      shown.current = mine
      const isShown = () => shown.current === mine
      setProblem(undefined)
      setPending(undefined)
      setMessages((before) => [
        ...before,
        { sender: 'user', content: text, timestamp: new Date().toISOString() },
      ])
      let made = { text: '', uses: [] as readonly ToolUse[] }
      const grow = (next: Partial<typeof made>) => {
        made = { ...made, ...next }
        if (isShown()) setGrowing(made)
      }
      grow({})
      const progress = {
        kept(id: string) {
          mine.conversation = id
          if (!isShown() || current.current === id) return
          current.current = id
          go(pathTo(['chat'], { conversation: id }), { replace: true })
          changed('chat')
        },
        text: (delta: string) => grow({ text: made.text + delta }),
        use: (name: string, args: unknown) =>
          grow({ uses: [...made.uses, { name, args, state: 'running' }] }),
        used: (name: string, failed: boolean) => grow({ uses: settled(made.uses, name, failed) }),
      }
      try {
        const reply = await chat(text, current.current, progress, mine.abort.signal)
        if (isShown()) {
          setMessages((before) => [...before, { ...reply.message, uses: made.uses }])
          setPending(reply.context.needs_confirmation)
        }
      } catch (error) {
        if (isShown()) {
          if (!mine.abort.signal.aborted) setProblem(error as Error)
          else if (made.text)
            setMessages((before) => [
              ...before,
              { sender: 'ai', content: `${made.text} …`, uses: made.uses },
            ])
          if (!mine.conversation) {
            setMessages((before) => before.slice(0, -1))
            setPending(pending)
          }
        }
      }
      if (isShown()) {
        shown.current = undefined
        setGrowing(undefined)
      }
      return mine.conversation !== undefined
    },
    [pending],
  )

  return {
    messages,
    growing,
    pending,
    problem,
    loading,
    say,
    stop: () => shown.current?.abort.abort(),
  }
}

/** What was seen of a message here, such as the tools it used, is more than what is stored of it. */
function sameAs(before: Message | undefined, stored: Message): Message {
  return before?.sender === stored.sender && before.content === stored.content ? before : stored
}

function settled(uses: readonly ToolUse[], name: string, failed: boolean): ToolUse[] {
  const place = uses.findIndex((use) => use.name === name && use.state === 'running')
  return uses.map((use, index) =>
    index === place ? { ...use, state: failed ? 'failed' : 'done' } : use,
  )
}

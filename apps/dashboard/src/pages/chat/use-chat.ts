import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { go, pathTo } from '../../live/router.ts'
import { chat, type Message, type PendingCall, readConversation, type ToolUse } from './chat-data.ts'

export interface Chat {
  readonly messages: readonly Message[]
  /** The answer that is being made. */
  readonly growing: { readonly text: string; readonly uses: readonly ToolUse[] } | undefined
  readonly pending: PendingCall | undefined
  readonly problem: Error | undefined
  readonly loading: boolean
  say(text: string): Promise<void>
  stop(): void
}

export function useChat(conversationId: string | undefined): Chat {
  const [messages, setMessages] = useState<readonly Message[]>([])
  const [growing, setGrowing] = useState<Chat['growing']>()
  const [pending, setPending] = useState<PendingCall>()
  const [problem, setProblem] = useState<Error>()
  const [loading, setLoading] = useState(false)
  const current = useRef<string>()
  const stopper = useRef<AbortController>()

  useEffect(() => {
    // A conversation that just began here is already on screen.
    if (conversationId === current.current) return
    current.current = conversationId
    setMessages([])
    setPending(undefined)
    setProblem(undefined)
    if (!conversationId) return
    const abort = new AbortController()
    setLoading(true)
    readConversation(conversationId, abort.signal)
      .then(({ messages: stored }) => setMessages(stored))
      .catch((error: Error) => !abort.signal.aborted && setProblem(error))
      .finally(() => !abort.signal.aborted && setLoading(false))
    return () => abort.abort()
  }, [conversationId])

  useEffect(() => () => stopper.current?.abort(), [])

  const say = useCallback(async (text: string) => {
    const abort = new AbortController()
    stopper.current = abort
    setProblem(undefined)
    setPending(undefined)
    setMessages((before) => [...before, { sender: 'user', content: text, timestamp: new Date().toISOString() }])
    let made = { text: '', uses: [] as readonly ToolUse[] }
    const grow = (next: Partial<typeof made>) => {
      made = { ...made, ...next }
      setGrowing(made)
    }
    grow({})
    try {
      const progress = {
        text: (delta: string) => grow({ text: made.text + delta }),
        use: (name: string, args: unknown) => grow({ uses: [...made.uses, { name, args, state: 'running' }] }),
        used: (name: string, failed: boolean) => grow({ uses: settled(made.uses, name, failed) }),
      }
      const reply = await chat(text, current.current, progress, abort.signal)
      current.current = reply.conversation_id
      setMessages((before) => [...before, { ...reply.message, uses: made.uses }])
      setPending(reply.context.needs_confirmation)
      go(pathTo(['chat'], { conversation: reply.conversation_id }), { replace: true })
    } catch (error) {
      if (!abort.signal.aborted) setProblem(error as Error)
      else if (made.text) setMessages((before) => [...before, { sender: 'ai', content: `${made.text} …`, uses: made.uses }])
    }
    setGrowing(undefined)
  }, [])

  return { messages, growing, pending, problem, loading, say, stop: () => stopper.current?.abort() }
}

function settled(uses: readonly ToolUse[], name: string, failed: boolean): ToolUse[] {
  const place = uses.findIndex((use) => use.name === name && use.state === 'running')
  return uses.map((use, index) => (index === place ? { ...use, state: failed ? 'failed' : 'done' } : use))
}

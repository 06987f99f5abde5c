import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface FoldedProps {
  /** Of the whole text. */
  readonly characters: number
  /** More than what is here can be fetched. */
  readonly hasMore?: boolean
  readonly onOpen?: () => void
  readonly children: ComponentChildren
}

/** Shows the first lines of something tall, and all of it at a click or once the keyboard is in it. */
export function Folded({ characters, hasMore = false, onOpen, children }: FoldedProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [isTall, setTall] = useState(false)
  useLayoutEffect(() => {
    const content = place.current
    if (!content || isOpen) return
    const measure = () => setTall(content.scrollHeight > content.clientHeight + 2)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(content)
    return () => observer.disconnect()
  }, [isOpen, characters])
  const open = () => {
    setOpen(true)
    onOpen?.()
  }
  const canOpen = isTall || hasMore
  return (
    <>
      <div
        ref={place}
        class="folded"
        data-open={isOpen}
        data-tall={canOpen && !isOpen}
        onFocusCapture={() => canOpen && !isOpen && open()}
      >
        {children}
      </div>
      {canOpen && (
        <button
          type="button"
          class="button quiet unfold"
          onClick={() => (isOpen ? setOpen(false) : open())}
        >
          {isOpen ? 'Show less' : `Show all ${characters.toLocaleString()} characters`}
        </button>
      )}
    </>
  )
}

import type { ComponentChildren, Ref } from 'preact'

interface ScrollableProps {
  readonly class: string
  readonly label: string
  readonly children: ComponentChildren
  readonly place?: Ref<HTMLElement>
}

/** Something wider than the screen. It takes the focus, because a keyboard must be able to scroll it. */
export function Scrollable({ class: className, label, children, place }: ScrollableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard could not scroll.
    <section class={className} aria-label={label} tabIndex={0} ref={place}>
      {children}
    </section>
  )
}

/** Text that keeps its lines. */
export function Pre({
  wrap = false,
  children,
}: {
  readonly wrap?: boolean
  readonly children: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard could not scroll.
    <pre class={wrap ? 'code wrap' : 'code'} tabIndex={0}>
      {children}
    </pre>
  )
}

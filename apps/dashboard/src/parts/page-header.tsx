import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isTextField } from './virtual-list.tsx'

interface PageHeaderProps {
  readonly title: string
  readonly lead?: ComponentChildren
  readonly children?: ComponentChildren
}

let firstPage = true

/** The page's one heading. It takes the focus after a change of page, so that a screen reader says where it is. */
export function PageHeader({ title, lead, children }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Secretary`
    // A heading that comes late must not take the keys from whoever has begun to type.
    if (!firstPage && !isTextField(document.activeElement))
      heading.current?.focus({ preventScroll: true })
    firstPage = false
  }, [title])
  return (
    <header class="page-header">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </header>
  )
}

import { pathTo } from '../../live/router.ts'
import type { RequestLink } from './request-links.ts'

export function RequestOrigin({ link }: { readonly link: RequestLink }) {
  return (
    <a
      class="origin"
      href={pathTo(['dialogs'], { session: link.session_id, at: link.request_index })}
    >
      from request {link.request_index}
    </a>
  )
}

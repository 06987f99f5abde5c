import { pathTo } from '../../live/router.ts'

/** The folders of a file, each leading to what is in it. */
export function FileCrumbs({ path }: { readonly path: string }) {
  const parts = path.split('/')
  return (
    <nav class="file-crumbs" aria-label="Path of the file">
      {parts.slice(0, -1).map((part, place) => {
        const folder = `${parts.slice(0, place + 1).join('/')}/`
        return (
          <span key={folder}>
            <a href={pathTo(['search'], { by: 'all', q: `file:${folder}` })}>{part}</a>
            <span aria-hidden="true"> / </span>
          </span>
        )
      })}
      <strong>{parts.at(-1)}</strong>
    </nav>
  )
}

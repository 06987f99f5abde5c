import { pathTo } from '../../live/router.ts'

interface FilePathProps {
  readonly path: string
  /** Whether it is a file of the project that the page shows. */
  readonly isHere: boolean
}

/** A link where the page can show the file. */
export function FilePath({ path, isHere }: FilePathProps) {
  const isInside = isHere && !/^(?:\/|\.\.|[a-z]:)/i.test(path)
  if (!isInside) return <span class="path">{path}</span>
  return (
    <a class="path" href={pathTo(['file'], { path })}>
      {path}
    </a>
  )
}

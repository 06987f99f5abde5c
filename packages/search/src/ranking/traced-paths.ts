/** A place that a question names, such as a frame of a stack trace. */
export interface TracedPath {
  readonly path: string
  /** From 1 for the innermost frame, which is where it happened, down to 0. */
  readonly weight: number
}

const PYTHON_FRAME = /File "([^"\n]+)", line \d+/g
const PLACE =
  /(?<![\w@.+~-])(?:[\w@.+~-]{1,100}[\\/]){0,30}[\w@.+-]{1,100}\.[a-z]{1,4}\w?(?=$|[^\w./\\-])/gi
const JVM_FRAME = /\bat ([\w$.]+)\.[\w$<>]+\((\w+\.\w+):\d+\)/g
/** A frame far out still says more than no frame. */
const LEAST = 0.3

/** Paths that a text names: frames of a trace by their depth, and files in prose. */
export function tracedPaths(text: string): TracedPath[] {
  const python = [...text.matchAll(PYTHON_FRAME)].map(([, path = '']) => path)
  // Python prints the innermost frame last, most others first.
  const framed = python.length > 0 ? python.reverse() : jvmFrames(text)
  const named = [...text.matchAll(PLACE)].map(([path]) => path).filter((path) => /[\\/]/.test(path))
  const inOrder = [...new Set([...framed, ...(python.length > 0 ? [] : named)].map(slashed))]
  return inOrder.map((path, at) => ({
    path,
    weight: Math.max(LEAST, 1 - at / Math.max(inOrder.length, 4)),
  }))
}

function jvmFrames(text: string): string[] {
  return [...text.matchAll(JVM_FRAME)].map(
    ([, type = '', file = '']) => `${type.split('.').slice(0, -1).join('/')}/${file}`,
  )
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

/** How many last parts two paths share; the file's own name must be one of them. */
export function sharedTail(a: string, b: string): number {
  const left = a.split('/')
  const right = b.split('/')
  let shared = 0
  while (
    shared < left.length &&
    shared < right.length &&
    left.at(-1 - shared) === right.at(-1 - shared)
  )
    shared++
  return shared
}

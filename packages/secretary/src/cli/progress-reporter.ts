import type { IndexProgress } from '@secretary-mcp/search/indexer/index-run.ts'
import type { Terminal } from './terminal.ts'
import { visibleText } from './visible-text.ts'

export interface Reporter {
  readonly show: (progress: IndexProgress) => void
  end(): void
}

const BAR_WIDTH = 24
const LINE_EVERY_MS = 2_000

/** A bar that stays in its line on a terminal; plain lines, now and then, on a pipe. */
export function progressReporter(
  terminal: Pick<Terminal, 'print' | 'interactive'>,
  now: () => number = Date.now,
): Reporter {
  return terminal.interactive ? barReporter() : lineReporter(terminal, now)
}

/** Counts the dialogs that were read in one line of a terminal; anything else gets no line. */
export function readingReporter(stream: NodeJS.WriteStream = process.stderr): {
  readonly onRead: () => void
  end(): void
} {
  if (!stream.isTTY) return { onRead() {}, end() {} }
  let count = 0
  return {
    onRead: () => void stream.write(`\r\x1b[2KReading dialogs: ${++count}`),
    end: () => void stream.write('\r\x1b[2K'),
  }
}

const LOOK_EVERY_MS = 300

/** Shows what the first scan still has to read, in one line of a terminal, until the answer is there. */
export function reportScan(
  unread: () => string | undefined,
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): { end(): void } {
  if (!stream.isTTY) return { end() {} }
  let isShown = false
  const timer = setInterval(() => {
    const note = unread()
    if (note === undefined && !isShown) return
    stream.write(`\r\x1b[2K${note === undefined ? '' : visibleText(note)}`)
    isShown = note !== undefined
  }, LOOK_EVERY_MS)
  return {
    end() {
      clearInterval(timer)
      if (isShown) stream.write('\r\x1b[2K')
    },
  }
}

function barReporter(): Reporter {
  return {
    show: (progress) =>
      void process.stderr.write(
        `\r\x1b[2K${barOf(progress)} ${visibleText(progressText(progress))}`,
      ),
    end: () => void process.stderr.write('\r\x1b[2K'),
  }
}

function lineReporter(terminal: Pick<Terminal, 'print'>, now: () => number): Reporter {
  let last = now()
  return {
    show(progress) {
      if (now() - last < LINE_EVERY_MS) return
      last = now()
      terminal.print(progressText(progress))
    },
    end() {},
  }
}

function barOf({ filesDone, filesTotal }: Pick<IndexProgress, 'filesDone' | 'filesTotal'>): string {
  const share = filesTotal > 0 ? Math.min(filesDone / filesTotal, 1) : 0
  const full = Math.round(share * BAR_WIDTH)
  return `[${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}]`
}

function progressText({
  filesDone,
  filesTotal,
  chunks,
  chunksPerSecond,
  secondsLeft,
}: IndexProgress): string {
  const left = Number.isFinite(secondsLeft) ? `, ${Math.ceil(secondsLeft)} s left` : ''
  return `${filesDone}/${filesTotal} files, ${chunks} chunks, ${Math.round(chunksPerSecond)}/s${left}`
}

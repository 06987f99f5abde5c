import * as z from 'zod'
import { isPublished, type Repository } from '@secretary-mcp/core/files/repository.ts'
import { redact } from '@secretary-mcp/core/redact.ts'
import { keptDeed } from '../deeds/kept-deed.ts'
import type { Reading } from '@secretary-mcp/transcripts/dialog.ts'
import type { KeptDialog } from '../keeping/kept-store.ts'
import { dialogOfPlain, type PlainDialog, plainDialog } from '../keeping/packed-dialog.ts'
import { SOURCE_NAMES } from '@secretary-mcp/transcripts/source-names.ts'
import { CARRIED } from './carried-key.ts'

export interface CarriedBody {
  /** The name of the machine that it comes from. */
  readonly host: string
  readonly dialog: PlainDialog
}

/** It was packed by Secretary and is sealed, so its outline is checked and not each mark and deed. */
const outline = z.object({
  host: z.string(),
  dialog: z.object({
    dialog: z.object({
      sessionId: z.string().min(1),
      source: z.enum(SOURCE_NAMES),
      project: z.string().optional(),
      size: z.number(),
      mtimeMs: z.number(),
      reading: z.object({ sessionId: z.string(), marks: z.array(z.unknown()) }),
    }),
    turns: z.array(z.object({ position: z.number(), request: z.string() })),
    deeds: z.array(z.object({ kind: z.string() })),
  }),
})

export function isCarriedBody(body: unknown): body is CarriedBody {
  return outline.safeParse(body).success
}

/** Redacted once more: what was kept long ago was redacted by the rules of that time. */
export function packedForOthers(
  { dialog, turns, deeds, lead }: KeptDialog,
  repository: Repository | undefined,
  host: string,
): CarriedBody {
  const { title, firstRequestPreview: first, chatJsonPath: _path, ...rest } = dialog
  return {
    host,
    dialog: plainDialog({
      dialog: {
        ...rest,
        ...(title ? { title: redact(title) } : {}),
        ...(first ? { firstRequestPreview: redact(first) } : {}),
        reading: bareReading(dialog.reading),
      },
      ...(lead ? { lead } : {}),
      turns: turns.map(({ request, answer, ...turn }) => ({
        ...turn,
        request: redact(request),
        ...(answer ? { answer: redact(answer) } : {}),
      })),
      deeds: deeds.map((deed) => keptDeed(deed)),
      ...(repository?.origin && isPublished(repository.origin) ? { repository } : {}),
    }),
  }
}

/**
 * As it is kept here. Of a published project the folder is named with its machine, `laptop:/home/ada/shop`: a folder of that name
 * here is another one, and the repository tells that they belong together. Any other project is known by its folder alone.
 */
export function arrivedDialog(
  id: string,
  { host, dialog: plain }: CarriedBody,
): KeptDialog & { readonly dialog: { readonly key: string } } {
  const { dialog, deeds, repository, ...rest } = dialogOfPlain(plain)
  const { project } = dialog
  const there = (path: string) => `${host}:${path}`
  const isNamed = repository !== undefined
  return {
    ...rest,
    dialog: {
      ...dialog,
      key: `${CARRIED}${id}`,
      chatJsonPath: undefined,
      ...(isNamed && project ? { project: there(project) } : {}),
    },
    deeds: deeds.map(({ path, ...deed }) => ({
      ...deed,
      ...(path === undefined ? {} : { path: isNamed && isAbsolute(path) ? there(path) : path }),
    })),
    ...(isNamed
      ? {
          repository: {
            ...repository,
            root: there(repository.root),
            common: `${CARRIED}${there(repository.common)}`,
          },
        }
      : {}),
  }
}

/** Without what only a reader of the file needs. */
function bareReading({
  base: _base,
  seam: _seam,
  waiting: _waiting,
  ...reading
}: Reading): Reading {
  const { title } = reading
  return {
    ...reading,
    ...(title ? { title: redact(title) } : {}),
    marks: reading.marks.map((mark) => ({ ...mark, preview: redact(mark.preview) })),
  }
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[a-z]:\//i.test(path)
}

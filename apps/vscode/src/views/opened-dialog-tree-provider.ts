import type { Turn } from '@secretary-mcp/transcripts/dialog.ts'
import { shownBeginning } from '@secretary-mcp/transcripts/preview.ts'
import {
  EventEmitter,
  l10n,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
} from 'vscode'
import { type DialogSessionsServiceImpl, MAX_TURNS } from '../sessions/dialog-sessions-service.ts'
import { ago, oneLine, titleOf } from './wording.ts'

const MAX_TOOLTIP = 2_000

export interface TurnNode {
  readonly turn: Turn
  readonly part: 'request' | 'answer'
}

interface NoteNode {
  readonly note: string
}

type Node = TurnNode | NoteNode

/** The requests of one dialog in order; below each, its answer. Without a choice it follows the chat of this window. */
export class OpenedDialogTreeProvider implements TreeDataProvider<Node> {
  readonly #sessions: DialogSessionsServiceImpl
  readonly #changed = new EventEmitter<void>()
  readonly #shown = new EventEmitter<string>()
  readonly onDidChangeTreeData = this.#changed.event
  /** With the title of the dialog, or nothing where there is none. */
  readonly onDidShow = this.#shown.event
  #chosen?: string

  constructor(sessions: DialogSessionsServiceImpl) {
    this.#sessions = sessions
  }

  /** Undefined follows the chat of this window again. */
  open(sessionId: string | undefined): void {
    this.#chosen = sessionId
    this.refresh()
  }

  async findDialog() {
    const chosen =
      this.#chosen === undefined ? undefined : await this.#sessions.findSession(this.#chosen)
    return chosen ?? this.#sessions.findCurrent()
  }

  refresh(): void {
    this.#changed.fire()
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node) return 'turn' in node ? this.#below(node.turn) : []
    const dialog = await this.findDialog()
    this.#shown.fire(dialog ? titleOf(dialog) : '')
    if (!dialog) return []
    const turns = await this.#sessions.newestTurns(dialog)
    const requests: Node[] = turns.map((turn) => ({ turn, part: 'request' }))
    return dialog.requestsCount <= MAX_TURNS
      ? requests
      : [{ note: l10n.t('Only the newest {0} requests are shown', MAX_TURNS) }, ...requests]
  }

  async #below(turn: Turn): Promise<Node[]> {
    const deeds = await this.#sessions.deeds(turn)
    return [
      ...(turn.answer ? [{ turn, part: 'answer' as const }] : []),
      ...deeds.map((note) => ({ note })),
    ]
  }

  getTreeItem(node: Node): TreeItem {
    if ('note' in node) return noteItem(node.note)
    return node.part === 'request' ? requestItem(node.turn) : answerItem(node.turn)
  }
}

function noteItem(note: string): TreeItem {
  const item = new TreeItem(note)
  item.tooltip = note
  return item
}

/** A click shows it as a page, where a long answer can be read. */
function opening(turn: Turn, part: TurnNode['part']) {
  return {
    command: 'copilotChatSecretary.showTurn',
    title: l10n.t('Show'),
    arguments: [{ turn, part }],
  }
}

function requestItem(turn: Turn): TreeItem {
  const { sessionId, position, request, answer, time } = turn
  const item = new TreeItem(
    `${position}. ${oneLine(request)}`,
    answer ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
  )
  // What was expanded stays so when the list is read again.
  item.id = `${sessionId}/${position}`
  item.description = ago(time)
  item.tooltip = shownBeginning(request, MAX_TOOLTIP)
  item.iconPath = new ThemeIcon('account')
  item.contextValue = 'secretaryRequest'
  item.command = opening(turn, 'request')
  item.accessibilityInformation = {
    label: l10n.t('Request {0}, {1}: {2}', position, ago(time), oneLine(request)),
  }
  return item
}

function answerItem(turn: Turn): TreeItem {
  const { sessionId, position, answer = '' } = turn
  const item = new TreeItem(oneLine(answer))
  item.id = `${sessionId}/${position}/answer`
  item.tooltip = shownBeginning(answer, MAX_TOOLTIP)
  item.iconPath = new ThemeIcon('sparkle')
  item.contextValue = 'secretaryAnswer'
  item.command = opening(turn, 'answer')
  item.accessibilityInformation = {
    label: l10n.t('Answer to request {0}: {1}', position, oneLine(answer)),
  }
  return item
}

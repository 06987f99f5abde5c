import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { useModal } from './use-modal.ts'

interface ModalProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** The browser's own dialog: it keeps the focus inside, closes on Escape and gives the focus back. */
export function Modal({ title, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useModal(dialog)
  const ask = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  // A browser closes it at the second Escape, whatever was said to the first: who has asked a question wants it answered.
  const reopen = () => setTimeout(() => dialog.current?.isConnected && dialog.current.showModal())
  return (
    <dialog ref={dialog} class="modal" aria-labelledby={id} onClose={reopen} onCancel={ask}>
      <header class="modal-header">
        <h2 id={id}>{title}</h2>
        <button type="button" class="button quiet" onClick={onClose}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  )
}

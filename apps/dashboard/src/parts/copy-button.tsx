import { say } from './toasts.tsx'

export function CopyButton({
  text,
  label = 'Copy',
  done = 'Copied',
  hasBorder = false,
}: {
  readonly text: () => string | Promise<string>
  readonly label?: string
  /** What is said once it was copied. */
  readonly done?: string
  /** With a border, as a button that stands alone. */
  readonly hasBorder?: boolean
}) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text())
      say(done)
    } catch {
      say('The browser blocked copying; select the text instead')
    }
  }
  return (
    <button type="button" class={hasBorder ? 'button' : 'button quiet'} onClick={copy}>
      {label}
    </button>
  )
}

import { say } from './toasts.tsx'

export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: () => string | Promise<string>
  readonly label?: string
}) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text())
      say('Copied')
    } catch {
      say('The browser blocked copying; select the text instead')
    }
  }
  return (
    <button type="button" class="button quiet" onClick={copy}>
      {label}
    </button>
  )
}

const WORDS: Readonly<Record<string, string>> = {
  read: 'reads',
  write: 'writes',
  destroy: 'destroys',
}

export function Effect({ effect }: { readonly effect: string }) {
  return (
    <span class="tag" data-effect={effect}>
      {WORDS[effect] ?? effect}
    </span>
  )
}

export interface DecodedText {
  readonly text: string
  /** Absent for UTF-8. */
  readonly encoding?: 'utf-16le' | 'utf-16be' | 'windows-1252'
}

const SNIFFED_BYTES = 8192

/** Undefined where the bytes are no text. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const utf16 = utf16Of(bytes)
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16 }
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
  }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

const LOOPBACK = new Set(['localhost', '::1', '[::1]'])

export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host.toLowerCase()) || /^127(\.\d{1,3}){3}$/.test(host)
}

/** Host name without the port; undefined where it is malformed. */
export function hostNameOf(header: string): string | undefined {
  try {
    return new URL(`http://${header}`).hostname
  } catch {
    return undefined
  }
}

const IN_A_PATH = /[\w./\\-]/

/** Paths as people write them, with `~` for the home folder. */
export function withoutHome(text: string, home: string | undefined): string {
  if (!home) return text
  return ['/', '\\'].reduce(
    (shown, separator) =>
      shown.replaceAll(`${home}${separator}`, (found, at: number, whole: string) =>
        IN_A_PATH.test(whole[at - 1] ?? '') ? found : `~${separator}`,
      ),
    text,
  )
}

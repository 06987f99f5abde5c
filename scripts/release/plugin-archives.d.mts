export function pluginArchives(
  root: string,
  out: string,
  facts: { readonly version: string },
): string[]

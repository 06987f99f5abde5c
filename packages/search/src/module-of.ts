/** Folders that only hold modules and are none themselves. */
const CONTAINERS = new Set(
  'src source sources lib libs app apps packages crates modules internal pkg cmd server client backend frontend api web main core-src test tests spec __tests__ examples'.split(
    ' ',
  ),
)
const JVM_ROOT = /(^|\/)src\/(main|test)\/(java|kotlin|scala|groovy)\//

/** The part of the project a file belongs to: the first folder that is more than a container. */
export function moduleOf(path: string): string {
  const folders = path.split('/').slice(0, -1)
  // Package folders such as com/acme say nothing: there the innermost folder is the module.
  if (JVM_ROOT.test(path)) return folders.at(-1) ?? 'root'
  return (
    folders.find((folder) => !CONTAINERS.has(folder.toLowerCase())) ??
    folders.at(-1)?.replace(/^(src|lib)$/, 'root') ??
    'root'
  )
}

/** For esbuild: packages from the registry stay outside a bundle, those of this repository become part of it. */
export function onlyOurs() {
  return {
    name: 'only-ours',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./\\]/ }, ({ path, kind }) =>
        kind === 'entry-point' || path.startsWith('@secretary-mcp/')
          ? undefined
          : { path, external: true },
      )
    },
  }
}

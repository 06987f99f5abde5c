export declare function stageServer(
  root: string,
  target: string,
  options: { readonly platform?: string; readonly modules?: string },
): void

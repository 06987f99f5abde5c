export interface Programs {
  readonly node: string
  readonly server: string
  readonly chromium: string
}

export const vscode: Programs
export function isVscodeInstalled(): boolean
export function installVscode(): Programs

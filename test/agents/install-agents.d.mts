export const agentIds: readonly string[]
export const nodeBin: string
export function binOf(id: string): string
export function programOf(id: string): string
export function versionOf(id: string): string
export function installAgent(id: string): string | undefined

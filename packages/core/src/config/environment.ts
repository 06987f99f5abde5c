/** The one place that sees the process's environment. */
export type Environment = Readonly<Record<string, string | undefined>>

export function environment(): Environment {
  // biome-ignore lint/style/noProcessEnv: everything else receives its slice of the configuration
  return process.env
}

/** At start-up, before a server exists: an unset prefix becomes `guide`; a set one, even empty, is kept. */
export function configureEnvironment(): void {
  // biome-ignore lint/style/noProcessEnv: the seed fixes the variable as the place of the default
  process.env.MCP_TOOL_PREFIX ??= 'guide'
}

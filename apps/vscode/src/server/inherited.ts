/** The surroundings of this process, for a child of it. */
export function inherited(): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: a child process needs the surroundings of this one
  return process.env
}

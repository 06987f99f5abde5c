import { spawnSync } from 'node:child_process'

/** Runs one program of a release; its words go to standard error, so that the list of files stays alone on the other. */
export function runStep(command, args, cwd) {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0)
    throw error ?? new Error(`${command} ${args[0]} ended with ${status}\n${stdout}`)
  return stdout
}

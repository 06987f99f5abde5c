import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { binary, isolatedEnvironment } from '../support/mcp-client.ts'

let env: Record<string, string>
beforeEach(() => {
  env = isolatedEnvironment()
})

describe('secretary chat on a pipe', () => {
  const chat = (input: string) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [binary, 'chat'], {
      env,
      encoding: 'utf8',
      input,
    })
    return { stdout, stderr, status }
  }

  it('ends when the input does, and says how to go on', () => {
    expect(chat('')).toMatchObject({ status: 0 })
    const { status, stderr } = chat('what is left?\n')
    expect(status).toBe(0)
    expect(stderr).toContain('To continue: secretary chat --conversation')
  })

  it('answers every line, however fast they came', () => {
    expect(chat('add a task to buy milk\nadd a task to buy bread\n').status).toBe(0)
    const { stdout } = spawnSync(process.execPath, [binary, 'tasks'], { env, encoding: 'utf8' })
    expect(stdout).toMatch(/milk[\s\S]*bread/)
  })
})

describe('a server that another program started', () => {
  const start = async (command: string, ...args: string[]) => {
    const child = spawn(process.execPath, [binary, command, '--port', '0', ...args], {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /http:\/\/[\d.:]+/.exec(line)?.[0]
      if (url) return { child, url }
    }
    throw new Error('it ended before it served')
  }
  const untilExit = async (child: ChildProcess) => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    return { code: child.exitCode, signal: child.signalCode }
  }

  it.each([
    ['serve', ['--until-stdin-ends']],
    ['open', ['--print', '--until-stdin-ends']],
  ])('%s ends with the pipe that it was given', async (command, args) => {
    const { child } = await start(command, ...args)
    child.stdin.end()
    expect(await untilExit(child)).toEqual({ code: 0, signal: null })
  })

  it('stays without the option, as under a service manager that gives it no input, and ends in order with its terminal', async () => {
    const { child, url } = await start('serve')
    child.stdin.end()
    expect((await fetch(`${url}/health`)).status).toBe(200)
    child.kill('SIGHUP')
    expect(await untilExit(child)).toEqual({ code: 0, signal: null })
  })
})

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const samples = fileURLToPath(new URL('../samples/dialogs/', import.meta.url))

/** A home folder as the agents leave it on a disk, filled from hand-made samples. */
export class AgentsHome {
  readonly home: string
  readonly project: string

  constructor(folder: string) {
    this.home = join(folder, 'home')
    this.project = join(folder, 'project')
    mkdirSync(this.home, { recursive: true })
    mkdirSync(this.project, { recursive: true })
  }

  /** The environment of a server that looks at this home. */
  get env(): Record<string, string> {
    return { HOME: this.home, SECRETARY_HOME: join(this.home, '.secretary'), SECRETARY_PROJECT: this.project }
  }

  path(...parts: string[]): string {
    return join(this.home, ...parts)
  }

  write(path: string, content: string | Buffer): string {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    return path
  }

  sample(name: string): string {
    return readFileSync(join(samples, name), 'utf8').replaceAll('{{project}}', this.project)
  }

  /** Puts a VS Code session under the project's workspace, in any editor's user folder. */
  vscode(sample: string, fileName: string, user = this.path('.config', 'Code', 'User')): string {
    const workspace = join(user, 'workspaceStorage', 'a1b2c3')
    this.write(join(workspace, 'workspace.json'), JSON.stringify({ folder: pathToFileURL(this.project).href }))
    return this.write(join(workspace, 'chatSessions', fileName), this.sample(`vscode/${sample}`))
  }

  claudeFolder(): string {
    return this.path('.claude', 'projects', this.project.replace(/[^a-zA-Z0-9-]/g, '-'))
  }

  claude(fileName = 'cc-main.jsonl', content = this.sample('claude-code/session.jsonl')): string {
    return this.write(join(this.claudeFolder(), fileName), content)
  }
}

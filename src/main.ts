import { runCommandLine } from './cli/program.ts'
import { configureEnvironment } from './core/config/environment.ts'

configureEnvironment()
process.exitCode = await runCommandLine(process.argv)

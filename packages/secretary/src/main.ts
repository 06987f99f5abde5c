import { configureEnvironment } from '@secretary-mcp/core/config/environment.ts'
import { runCommandLine } from './cli/program.ts'

configureEnvironment()
process.exitCode = await runCommandLine(process.argv)

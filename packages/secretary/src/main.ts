import { runCommandLine } from './cli/program.ts'
import { configureEnvironment } from '@secretary-mcp/core/config/environment.ts'

configureEnvironment()
process.exitCode = await runCommandLine(process.argv)

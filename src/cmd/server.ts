import { runFromCommandLine } from './command-line.ts'

await runFromCommandLine()

// Runs one soak in the namespaces that run-soak.ts creates: main.ts <seconds> <seed> <folder>
import { runTool } from '../run-tool.ts'
import { soak } from './soak.ts'

const TOOL_MS = 10_000
/** Space of the database in MiB at the start, and per second of the soak: the history grows. */
const DISK_MIB = 512
const GROWTH_MIB = 0.5

async function main([seconds, seed, folder = '']: readonly string[]): Promise<void> {
  const options = { cwd: '/', timeoutMs: TOOL_MS }
  await runTool('ip', ['link', 'set', 'lo', 'up'], options)
  const size = Math.ceil(DISK_MIB + GROWTH_MIB * Number(seconds))
  await runTool('mount', ['-t', 'tmpfs', '-o', `size=${size}m,mode=755`, 'soak', folder], options)
  await soak({ seconds: Number(seconds), seed: Number(seed), folder, print: console.log })
}

// The first process of a namespace ignores Ctrl-C. Its processes end with it.
process.stdin.on('end', () => process.exit(1)).resume()

await main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)

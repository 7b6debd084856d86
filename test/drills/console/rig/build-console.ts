import { fileURLToPath } from 'node:url'
import { runTool } from '../../run-tool.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const BUILD_TIMEOUT_MS = 300_000
const BUILD_CONSOLE = `
  import { buildTargetIfStale } from './src/tools/build-target.mjs'
  import { CONSOLE } from './src/tools/targets.mjs'
  await buildTargetIfStale(CONSOLE)`

/** Builds the console unless its build is up to date. */
export async function buildConsole(): Promise<void> {
  await runTool(process.execPath, ['--input-type=module', '-e', BUILD_CONSOLE], {
    cwd: ROOT,
    timeoutMs: BUILD_TIMEOUT_MS,
  })
}

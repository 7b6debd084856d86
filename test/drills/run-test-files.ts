import { fileURLToPath } from 'node:url'
import { runTool } from './run-tool.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TIMEOUT_MS = 900_000
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/drills/vitest.config.ts']

/** Runs `*.drill.ts` files as vitest tests. */
export function runTestFiles(...files: readonly string[]): Promise<void> {
  return runTestFilesWith({}, files)
}

/** Runs `*.drill.ts` files with additional environment variables. */
export async function runTestFilesWith(
  env: Readonly<Record<string, string>>,
  files: readonly string[],
): Promise<void> {
  const options = { cwd: ROOT, timeoutMs: TIMEOUT_MS, env }
  await runTool(process.execPath, [...VITEST, ...files], options)
}

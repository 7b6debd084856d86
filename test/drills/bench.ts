import { fileURLToPath } from 'node:url'
import type { Drill } from './drill.ts'
import { runTool } from './run-tool.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const RUN_TIMEOUT_MS = 300_000

/** Runs each benchmark briefly and checks its figures, its checks and its clean-up. */
export const bench: Drill = {
  summary: 'short runs of the benchmarks',
  cases: [
    {
      name: 'bench',
      run: async () => {
        await runTool(
          process.execPath,
          [
            'node_modules/vitest/vitest.mjs',
            'run',
            '--config',
            'test/drills/vitest.config.ts',
            'test/drills/bench.drill.ts',
          ],
          { cwd: ROOT, timeoutMs: RUN_TIMEOUT_MS },
        )
      },
    },
  ],
}

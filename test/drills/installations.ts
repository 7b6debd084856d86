import { fileURLToPath } from 'node:url'
import type { Drill } from './drill.ts'
import { runTool } from './run-tool.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const RUN_TIMEOUT_MS = 900_000
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/drills/vitest.config.ts']

/** Runs the tests that install packages from registries, which takes longer than the tests. */
export const installations: Drill = {
  summary: 'the image, snapshots in S3, and drivers in Python',
  cases: [
    run('image', 'test/process/image.drill.ts'),
    run('s3', 'test/sandboxes/process-driver/s3-store.drill.ts'),
    run(
      'python-drivers',
      'test/drivers/python-driver.drill.ts',
      'test/sandboxes/acceptance/any-language.drill.ts',
    ),
  ],
}

function run(name: string, ...files: readonly string[]): Drill['cases'][number] {
  return {
    name,
    run: async () => {
      const options = { cwd: ROOT, timeoutMs: RUN_TIMEOUT_MS }
      await runTool(process.execPath, [...VITEST, ...files], options)
    },
  }
}

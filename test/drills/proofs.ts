import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Drill } from './drill.ts'
import { runTool } from './run-tool.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const RUN_TIMEOUT_MS = 900_000
const VITEST = 'node_modules/vitest/vitest.mjs'

/**
 * Runs the tests of which `npm test` has a short form: a tenth of the samples at random, or one of
 * several kinds, planes or sizes.
 */
export const proofs: Drill = {
  summary: 'tests with all samples, and all combinations of kinds and planes',
  cases: [{ name: 'all', run: prove }],
}

async function prove(): Promise<void> {
  await runTool(process.execPath, [VITEST, 'run', ...(await proofFiles())], {
    cwd: ROOT,
    timeoutMs: RUN_TIMEOUT_MS,
    env: { PROOFS: 'full' },
  })
}

/** The test files with a smaller proof in `npm test`. */
async function proofFiles(): Promise<readonly string[]> {
  const files: string[] = []
  for (const folder of ['src', 'test']) {
    for (const name of await readdir(path.join(ROOT, folder), { recursive: true })) {
      const file = path.join(folder, name)
      if (!name.endsWith('.test.ts')) continue
      const text = await readFile(path.join(ROOT, file), 'utf8')
      if (text.includes('/proof-size.ts')) files.push(file)
    }
  }
  return files
}

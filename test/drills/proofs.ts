import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Drill } from './drill.ts'
import { runTool } from './run-tool.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const RUN_TIMEOUT_MS = 900_000
const VITEST = 'node_modules/vitest/vitest.mjs'

/** Runs the tests that sample at random. `npm test` runs a tenth of the samples, CI a fifth. */
export const proofs: Drill = {
  summary: 'tests by random samples, with a fifth of the samples or all',
  cases: [
    { name: 'fifth', run: () => prove('fifth') },
    { name: 'all', run: () => prove('full') },
  ],
}

async function prove(size: 'fifth' | 'full'): Promise<void> {
  await runTool(process.execPath, [VITEST, 'run', ...(await proofFiles())], {
    cwd: ROOT,
    timeoutMs: RUN_TIMEOUT_MS,
    env: { PROOFS: size },
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

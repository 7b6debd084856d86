import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Skipped } from './drill.ts'
import { runTool } from './run-tool.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TIMEOUT_MS = 900_000
const VITEST = ['node_modules/vitest/vitest.mjs', 'run']

/** Runs `*.drill.ts` files as vitest tests. */
export function runTestFiles(...files: readonly string[]): Promise<void> {
  return runTestFilesWith({}, files)
}

/**
 * Runs `*.drill.ts` files with additional environment variables. Prints the tests that this machine
 * skips, and throws {@link Skipped} if it skips all.
 */
export async function runTestFilesWith(
  env: Readonly<Record<string, string>>,
  files: readonly string[],
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-drill-'))
  try {
    const report = path.join(folder, 'report.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const options = { cwd: ROOT, timeoutMs: TIMEOUT_MS, env: { ...env, FLOTILLA_DRILL: 'true' } }
    await runTool(process.execPath, [...VITEST, ...reporters, ...files], options)
    reportSkipped(JSON.parse(await readFile(report, 'utf8')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The part of vitest's report in JSON that is read here. */
interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

function reportSkipped({ testResults }: Report): void {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const skipped = tests.filter(({ status }) => status !== 'passed')
  if (skipped.length === tests.length) {
    throw new Skipped(`this machine cannot run any of its ${tests.length} tests`)
  }
  for (const { fullName } of skipped) console.log(`not proved: ${fullName}`)
}

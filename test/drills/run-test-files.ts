import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorMessage } from '../../src/lib/error-message.ts'
import { type Drill, Skipped } from './drill.ts'
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
  const { error, results } = await runVitest(env, files, TIMEOUT_MS)
  if (error !== null) throw error
  reportSkipped(results)
}

/**
 * Cases of `*.drill.ts` files. The wanted ones share one run of vitest, because its start, its
 * databases and the modules of the server take 4 s of CPU.
 */
export function testFileCases(
  filesOf: Readonly<Record<string, readonly string[]>>,
): Required<Pick<Drill, 'cases' | 'prepare'>> {
  let wanted: readonly string[] = Object.keys(filesOf)
  let run: Promise<Run> | null = null
  return {
    prepare: (names) => {
      wanted = names.filter((name) => Object.hasOwn(filesOf, name))
    },
    cases: Object.entries(filesOf).map(([name, files]) => ({
      name,
      run: async () => {
        const all = wanted.flatMap((each) => filesOf[each] ?? [])
        reportSkipped(
          resultsOf(files, await (run ??= runVitest({}, all, TIMEOUT_MS * wanted.length))),
        )
      },
    })),
  }
}

/** A finished run of vitest. */
interface Run {
  /** Null if it passed. */
  readonly error: unknown
  /** Empty if it ended before its report. */
  readonly results: readonly TestFileResult[]
}

/** The part of vitest's report in JSON that is read here. */
interface TestFileResult {
  readonly name: string
  readonly status: string
  /** The error outside of tests, or an empty text. */
  readonly message: string
  readonly assertionResults: readonly TestResult[]
}

interface TestResult {
  readonly fullName: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

/** The results of some files of a run. Throws if one has failed, or if no file explains a failure. */
export function resultsOf(
  files: readonly string[],
  { error, results }: Run,
): readonly TestFileResult[] {
  const own = results.filter(({ name }) => files.includes(path.relative(ROOT, name)))
  const isPassed = own.length === files.length && own.every(({ status }) => status === 'passed')
  if (isPassed && (error === null || results.some(({ status }) => status === 'failed'))) return own
  const failures = own.flatMap(failuresOf)
  // The output, of which the error has the end, may be about other cases.
  if (failures.length > 0) throw new Error([...failures, errorMessage(error)].join('\n'))
  throw error ?? new Error(`vitest has not run all of ${files.join(', ')}`)
}

function failuresOf({ name, message, assertionResults }: TestFileResult): readonly string[] {
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  return [
    ...(message === '' ? [] : [`${name}: ${message}`]),
    ...failed.map((test) => `${name}: ${test.fullName}\n${test.failureMessages.join('\n')}`),
  ]
}

async function runVitest(
  env: Readonly<Record<string, string>>,
  files: readonly string[],
  timeoutMs: number,
): Promise<Run> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-drill-'))
  try {
    const report = path.join(folder, 'report.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const options = { cwd: ROOT, timeoutMs, env: { ...env, FLOTILLA_DRILL: 'true' } }
    const run = runTool(process.execPath, [...VITEST, ...reporters, ...files], options)
    const error: unknown = await run.then(
      () => null,
      (reason: unknown) => reason,
    )
    const text = await readFile(report, 'utf8').catch(() => '{ "testResults": [] }')
    const { testResults }: { testResults: readonly TestFileResult[] } = JSON.parse(text)
    return { error, results: testResults }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function reportSkipped(results: readonly TestFileResult[]): void {
  const tests = results.flatMap(({ assertionResults }) => assertionResults)
  const skipped = tests.filter(({ status }) => status !== 'passed')
  if (skipped.length === tests.length) {
    throw new Skipped(`this machine cannot run any of its ${tests.length} tests`)
  }
  for (const { fullName } of skipped) console.log(`not proved: ${fullName}`)
}

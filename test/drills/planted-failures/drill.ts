import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { runStages } from '../../ci/run-stages-script.ts'
import { type Drill, Skipped } from '../drill.ts'

const FOLDER = 'test/drills/planted-failures'
const STOPPED = 'not proved: drill planted: the cases after the one that was stopped'
/** The stage takes seconds; a busy machine needs more. */
const SECONDS = 300

/** Runs tests and drills with defects in stages of CI, each of which must fail and name the defect. */
export const plantedFailures: Drill = {
  summary: 'CI fails if a test or a drill has a defect',
  isConcurrent: true,
  cases: [
    { name: 'sound', run: sound },
    { name: 'flaky-test', run: flakyTest },
    { name: 'slow-test', run: slowTest },
    { name: 'leaking-test', run: leakingTest },
    { name: 'leaking-drill', run: leakingDrill },
    { name: 'deadlocked-drill', run: () => stoppedDrill('deadlock', SECONDS, 'exit status 13') },
    { name: 'hanging-drill', run: () => stoppedDrill('hang', 10, 'stopped after 10 s') },
    { name: 'killed-drill', run: killedDrill },
  ],
}

async function sound(): Promise<void> {
  const tests = await runTests('sound')
  assert.equal(tests.status, 0, tests.lines.join('\n'))
  assert.equal(tests.lines.at(-1), '1 passed, 0 failed, 0 skipped')
  const drills = await runDrill(SECONDS, 'sound', 'after')
  assert.equal(drills.status, 0, drills.lines.join('\n'))
}

async function flakyTest(): Promise<void> {
  const test = `${FOLDER}/flaky.planted.ts: passes except the first time`
  const lines = await failing(runTests('sound', 'flaky'), [
    `again, alone: ${FOLDER}/flaky.planted.ts`,
    `failed once: ${test}`,
    'stage failed: tests: exit status 1',
  ])
  assert.equal(lines.at(-1), '1 passed, 1 failed, 0 skipped')
}

async function slowTest(): Promise<void> {
  const lines = await failing(runTests('sound', 'slow'), ['stage failed: tests: exit status 1'])
  const slow = lines.filter((line) => line.startsWith('slow: '))
  // In the output of the stage and at the end.
  assert.equal(slow.length, 2)
  for (const line of slow)
    assert.match(line, /slow.planted.ts: takes longer than the limit \(\d+ s\)$/)
}

async function leakingTest(): Promise<void> {
  skipWithoutProc()
  const lines = await failing(runTests('sound', 'leak'), ['stage failed: tests: it left processes'])
  leftProcess(lines, /^left: process (\d+) of a test: sleep 987 $/)
}

async function leakingDrill(): Promise<void> {
  skipWithoutProc()
  const lines = await failing(runDrill(SECONDS, 'sound', 'leak'), [
    'stage failed: planted: it left processes',
  ])
  leftProcess(lines, /^left: process (\d+): sleep 986 $/)
}

/** A drill that ends without its total. */
async function stoppedDrill(name: string, seconds: number, detail: string): Promise<void> {
  await failing(runDrill(seconds, 'sound', name, 'after'), [
    `stage failed: planted: ${detail}`,
    STOPPED,
    'drills: 1 passed, 1 failed, 0 skipped, 1 not proved',
  ])
}

function killedDrill(): Promise<void> {
  return stoppedDrill('kill', SECONDS, 'killed: no memory, or it did not stop')
}

function skipWithoutProc(): void {
  if (process.platform !== 'linux') throw new Skipped('only Linux shows environments as files')
}

/** The reported process has ended. */
function leftProcess(lines: readonly string[], pattern: RegExp): void {
  const pids = lines.flatMap((line) => pattern.exec(line)?.[1] ?? [])
  assert.equal(pids.length, 1, lines.join('\n'))
  const file = `/proc/${pids[0]}/cmdline`
  assert.equal(existsSync(file) ? readFileSync(file, 'utf8') : '', '')
}

type Run = Awaited<ReturnType<typeof runStages>>

/** The lines of a failing run, which contain the expected ones. */
async function failing(run: Promise<Run>, expected: readonly string[]): Promise<readonly string[]> {
  const { status, lines } = await run
  assert.equal(status, 1, lines.join('\n'))
  for (const line of expected) assert.ok(lines.includes(line), `${line}:\n${lines.join('\n')}`)
  return lines
}

/** Runs planted tests as the stage `tests` runs all tests. */
function runTests(...files: readonly string[]): Promise<Run> {
  const command = `run_tests --config ${FOLDER}/vitest.config.ts --root . ${files.join(' ')}`
  return runStage(`tests | ${SECONDS} | all | | ${command} | none`)
}

/** Runs cases of the planted drill as a stage runs a drill. */
function runDrill(seconds: number, ...cases: readonly string[]): Promise<Run> {
  return runStage(`planted | ${seconds} | all | | drill ${cases.join(' ')} | none`)
}

async function runStage(stage: string): Promise<Run> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-planted-'))
  const drill = `node_modules/.bin/tsx ${FOLDER}/planted-drill.ts "$@"`
  try {
    return await runStages({ table: [stage], folder, drill, env: { max_test_seconds: '1' } })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

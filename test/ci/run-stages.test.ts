import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ROOT, runStages } from './run-stages-script.ts'

/** The output of a drill with a case of each outcome. */
const COMPLETE = `first                    passed (3 s)
second                   skipped (0 s): Chromium is not installed
not proved: a test that needs criu
drill whole: 1 passed, 0 failed, 1 skipped
`

describe('the stages of CI', () => {
  let folder = ''

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-stages-'))
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  const run = (table: readonly string[], ...names: readonly string[]) =>
    runStages({ table, folder, names, drill: 'cat "$results/$1"' })

  it('passes if every stage passes, and lists the missing proofs', async () => {
    await writeFile(path.join(folder, 'whole'), COMPLETE)
    await writeReport('all.json', ['passed', 'passed', 'skipped'])
    const { status, lines } = await run([
      'whole | 60 | 1.0 | first | drill whole | cases',
      'first | 60 | all | | echo "ready" | it says',
    ])
    expect(status).toBe(0)
    expect(lines).toContain('ready')
    expect(lines).toContainEqual(expect.stringMatching(/^stages took: first \d+ s, whole \d+ s$/))
    expect(lines.slice(-7)).toEqual([
      'not proved: test/a.test.ts: test 2',
      'not proved: drill whole: second: Chromium is not installed',
      'not proved: drill whole: a test that needs criu',
      'stages: 2 passed, 0 failed, 0 not run',
      'drills: 1 passed, 0 failed, 1 skipped, 2 not proved',
      'tests: 2 passed, 0 failed, 1 skipped, 1 not proved',
      '2 passed, 0 failed, 1 skipped',
    ])
  })

  it('fails if a case of a drill hangs', async () => {
    await writeFile(path.join(folder, 'hung'), 'first      passed (3 s)\n')
    const { status, lines } = await run([
      'hung | 1 | all | | drill hung; sleep 600 | nothing',
      'next | 60 | 1.0 | | echo "runs all the same" | it says',
    ])
    expect(status).toBe(1)
    expect(lines).toContain('stage failed: hung: stopped after 1 s')
    expect(lines).toContain('not proved: drill hung: the cases after the one that was stopped')
    expect(lines).toContain('drills: 1 passed, 1 failed, 0 skipped, 1 not proved')
    expect(lines).toContain('runs all the same')
  })

  it('fails if a stage is killed because memory is short', async () => {
    const { status, lines } = await run(['killed | 60 | all | | bash -c "kill -9 \\$\\$" | none'])
    expect(status).toBe(1)
    expect(lines).toContain('stage failed: killed: killed: no memory, or it did not stop')
  })

  it('fails if a stage fails, and does not run those that need it', async () => {
    await writeReport('all.json', ['passed', 'failed'])
    const { status, lines } = await run([
      'tests | 60 | all | | echo "why it failed"; exit 3 | none',
      'after | 60 | 1.0 | tests | drill after | none',
    ])
    expect(status).toBe(1)
    expect(lines.slice(-10)).toEqual([
      'failed: test/a.test.ts: test 1',
      'stage failed: tests: exit status 3',
      'not proved: stage after: tests did not pass',
      'tests | why it failed',
      expect.stringMatching(/^tests \| .* s of CPU$/),
      'test 1 | expected 1 to be 2',
      'stages: 0 passed, 1 failed, 1 not run',
      'drills: 0 passed, 0 failed, 0 skipped, 0 not proved',
      'tests: 1 passed, 1 failed, 0 skipped, 0 not proved',
      '1 passed, 1 failed, 0 skipped',
    ])
  })

  it('repeats the end of the output of a failed stage, with earlier failures', async () => {
    const output = 'echo early; echo " FAIL a test"; echo its error; seq 1 40'
    const { lines } = await run([`long | 60 | all | | ${output}; exit 1 | none`])
    const repeated = lines.filter((line) => line.startsWith('long | '))
    expect(repeated.slice(0, 3)).toEqual(['long |  FAIL a test', 'long | its error', 'long | 12'])
  })

  it('ends its stages and states the result if it is stopped itself', async () => {
    const { status, lines } = await run([
      'stopped | 60 | all | | echo "its output"; kill -TERM $PPID_OF_RUN; sleep 600 | none',
      'later | 60 | all | | true | none',
    ])
    expect(status).toBe(1)
    expect(lines).toContain('its output')
    expect(lines).toContain('stage failed: stopped: the run was stopped')
    expect(lines).toContain('not proved: stage later: the run was stopped')
  })

  it('counts a test that failed only the first time as failed', async () => {
    await writeReport('all.json', ['failed', 'failed'])
    await writeReport('repeated.json', ['failed', 'passed'])
    const { lines } = await run(['tests | 60 | all | | true | none'])
    expect(lines).toContain('failed once: test/a.test.ts: test 1')
    expect(lines).toContain('failed: test/a.test.ts: test 0')
    expect(lines).not.toContain('failed once: test/a.test.ts: test 0')
    expect(lines.at(-1)).toBe('0 passed, 2 failed, 0 skipped')
  })

  it('overlaps stages whose load the machine has, and no others', async () => {
    // Each of the pair waits for the other. The last one fails if anything runs beside it.
    const meet = (own: string, other: string) =>
      `touch $results/${own}; until [ -e $results/${other} ]; do sleep 0.1; done; rm $results/${own}.x`
    const { status } = await run([
      `a | 60 | 1.0 | | touch $results/a.x; ${meet('a', 'b')} | it waits`,
      `b | 60 | 1.0 | | touch $results/b.x; ${meet('b', 'a')} | it waits`,
      'c | 60 | 1.5 | | [ ! -e $results/a.x ] && [ ! -e $results/b.x ] && touch $results/c.x && sleep 1 && rm $results/c.x | it is alone',
      'd | 60 | all | | [ ! -e $results/c.x ] | it is alone',
    ])
    expect(status).toBe(0)
  })

  it('fills cores with later stages, but none overtakes one that needs all', async () => {
    // The first waits for a later one that fits beside it. The last fails if it runs before `all`.
    const { status } = await run([
      'long | 60 | 1.0 | | until [ -e $results/short ]; do sleep 0.1; done | it waits',
      'big | 60 | 1.5 | | true | it has to wait',
      'short | 60 | 1.0 | | touch $results/short | it overtakes',
      'all | 60 | all | | touch $results/all.x | it is alone',
      'late | 60 | 0.1 | | [ -e $results/all.x ] | it comes later',
    ])
    expect(status).toBe(0)
  })

  it('runs the named stages and those that they need', async () => {
    const table = ['a | 9 | 1.0 | | true |', 'b | 9 | 1.0 | a | true |', 'c | 9 | 1.0 | | false |']
    expect(await run(table, 'b')).toMatchObject({ status: 0 })
    const outcomes = await readFile(path.join(folder, 'outcomes'), 'utf8')
    expect(outcomes.split('\n').map((line) => line.split('\t')[0])).toEqual(['a', 'b', ''])
    expect(await run(table, 'd')).toMatchObject({ status: 2 })
  })

  function writeReport(name: string, statuses: readonly string[]): Promise<void> {
    const results = statuses.map((status, index) => ({
      status,
      fullName: `test ${index}`,
      failureMessages: status === 'failed' ? [`expected ${index} to be 2`] : [],
    }))
    const file = {
      name: path.join(ROOT, 'test/a.test.ts'),
      status: statuses.includes('failed') ? 'failed' : 'passed',
      assertionResults: results,
    }
    return writeFile(path.join(folder, name), JSON.stringify({ testResults: [file] }))
  }
})

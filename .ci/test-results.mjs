// Reads the JSON reports of vitest and the output of stages for .ci/run.
//   node .ci/test-results.mjs failed-files <report>
//   node .ci/test-results.mjs summary <folder of .ci/run>
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const [command, argument] = process.argv.slice(2)

if (command === 'failed-files') {
  for (const { name, status } of readReport(argument).values()) {
    if (status === 'failed') console.log(name)
  }
} else {
  const stages = readStages(argument)
  const tests = readTests(argument)
  const drills = stages.filter(({ cases }) => cases !== null).map(({ cases }) => cases)
  for (const test of tests.failedOnce) console.log(`failed once: ${test}`)
  for (const test of tests.failedTests) console.log(`failed: ${test}`)
  for (const { name, outcome, detail } of stages) {
    if (outcome === 'failed') console.log(`stage failed: ${name}: ${detail}`)
  }
  const notProved = [...tests.notProved, ...drills.flatMap((drill) => drill.notProved)]
  for (const { name, outcome, detail } of stages) {
    if (outcome === 'not run') notProved.push(`stage ${name}: ${detail}`)
  }
  for (const one of notProved) console.log(`not proved: ${one}`)
  const states = ['passed', 'failed', 'not run']
  console.log(`stages: ${countText(stages, states, (stage) => stage.outcome)}`)
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    drills.reduce((total, drill) => total + drill[key], 0)
  const unproved = drills.reduce((total, drill) => total + drill.notProved.length, 0)
  console.log(
    `drills: ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped, ${unproved} not proved`,
  )
  const { passed, failed, skipped } = tests
  console.log(
    `tests: ${passed} passed, ${failed} failed, ${skipped} skipped, ${skipped} not proved`,
  )
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
}

/** The number of values in each state, such as `3 passed, 0 failed`. */
function countText(values, states, stateOf) {
  return states
    .map((state) => `${values.filter((value) => stateOf(value) === state).length} ${state}`)
    .join(', ')
}

/** The last result of each test, the tests that failed only the first time, and skipped tests by file. */
function readTests(folder) {
  const reports = ['all.json', 'repeated.json'].map((name) => path.join(folder, name))
  if (!existsSync(reports[0])) {
    return {
      passed: 0,
      failed: 0,
      skipped: 0,
      failedOnce: [],
      failedTests: [],
      notProved: ['tests: no result'],
    }
  }
  const files = readReport(reports[0])
  const failedOnce = []
  for (const file of existsSync(reports[1]) ? readReport(reports[1]).values() : []) {
    const again = new Set(failedTests(file))
    failedOnce.push(...failedTests(files.get(file.name)).filter((test) => !again.has(test)))
    files.set(file.name, file)
  }
  const tests = [...files.values()].flatMap((file) => file.assertionResults)
  const count = (...states) => tests.filter(({ status }) => states.includes(status)).length
  const notProved = [...files.values()].flatMap(({ name, assertionResults }) =>
    assertionResults.filter(isSkipped).map(({ fullName }) => `${name}: ${fullName}`),
  )
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: tests.filter(isSkipped).length,
    failedOnce,
    failedTests: [...files.values()].flatMap(failedTests),
    notProved,
  }
}

function isSkipped({ status }) {
  return ['pending', 'skipped', 'todo', 'disabled'].includes(status)
}

/** The results of each test file, by its path below the folder of the project. */
function readReport(file) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
  const results = testResults.map((one) => ({ ...one, name: path.relative('.', one.name) }))
  return new Map(results.map((one) => [one.name, one]))
}

function failedTests(file) {
  if (file.status === 'passed') return []
  const { name, assertionResults } = file
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  return failed.length === 0 ? [name] : failed.map(({ fullName }) => `${name}: ${fullName}`)
}

/** The outcome of each stage, with the cases of its drill. */
function readStages(folder) {
  const file = path.join(folder, 'outcomes')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  return lines.map((line) => {
    const [name, outcome, , detail, kind] = line.split('\t')
    const log = path.join(folder, `${name}.log`)
    const text = existsSync(log) ? readFileSync(log, 'utf8') : ''
    const hasCases = kind === 'drill' && outcome !== 'not run'
    return { name, outcome, detail, cases: hasCases ? readCases(name, text) : null }
  })
}

/**
 * The cases in the output of a drill. One that was stopped prints no total: the case that was running
 * counts as failed, and further ones as not proved.
 */
function readCases(stage, text) {
  const notProved = []
  const counts = { passed: 0, failed: 0, skipped: 0 }
  let isComplete = false
  for (const line of text.split('\n')) {
    const [, name, outcome, reason = ''] =
      /^(\S+) +(passed|failed|skipped) \(\d+ s\)(?:: (.*))?$/.exec(line) ?? []
    if (outcome !== undefined) counts[outcome] += 1
    if (outcome === 'skipped') notProved.push(`drill ${stage}: ${name}: ${reason}`)
    const unproved = /^not proved: (.*)$/.exec(line)
    if (unproved !== null) notProved.push(`drill ${stage}: ${unproved[1]}`)
    if (/^drill \S+: \d+ passed, \d+ failed, \d+ skipped$/.test(line)) isComplete = true
  }
  if (!isComplete) {
    counts.failed += 1
    notProved.push(`drill ${stage}: the cases after the one that was stopped`)
  }
  return { ...counts, notProved }
}

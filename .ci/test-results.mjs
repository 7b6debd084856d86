// Reads the JSON reports of vitest and the output of stages for .ci/run.
//   node .ci/test-results.mjs failed-files <report>
//   node .ci/test-results.mjs slow-tests <report> <seconds>    fails if one takes longer
//   node .ci/test-results.mjs summary <folder of .ci/run>
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const [command, argument, maxSeconds] = process.argv.slice(2)

if (command === 'failed-files') {
  for (const { name, status } of readReport(argument).values()) {
    if (status === 'failed') console.log(name)
  }
} else if (command === 'slow-tests') {
  const max = Number(maxSeconds) * 1000
  for (const { name, assertionResults } of readReport(argument).values()) {
    for (const { fullName, duration } of assertionResults) {
      if (!(duration > max)) continue
      console.log(`slow: ${name}: ${fullName} (${(duration / 1000).toFixed(0)} s)`)
      process.exitCode = 1
    }
  }
} else {
  const stages = readStages(argument)
  const tests = readTests(argument)
  const drills = stages.filter(({ cases }) => cases !== null).map(({ cases }) => cases)
  console.log(
    `stages took: ${stages.map(({ name, seconds }) => `${name} ${seconds} s`).join(', ')}`,
  )
  for (const test of tests.failedOnce) console.log(`failed once: ${test}`)
  for (const test of tests.failedTests) console.log(`failed: ${test}`)
  const slow = path.join(argument, 'slow')
  if (existsSync(slow)) process.stdout.write(readFileSync(slow, 'utf8'))
  for (const { name, outcome, detail } of stages) {
    if (outcome === 'failed') console.log(`stage failed: ${name}: ${detail}`)
  }
  const notProved = [...tests.notProved, ...drills.flatMap((drill) => drill.notProved)]
  for (const { name, outcome, detail } of stages) {
    if (outcome === 'not run') notProved.push(`stage ${name}: ${detail}`)
  }
  for (const one of notProved) console.log(`not proved: ${one}`)
  // Repeated here, because readers of CI often get only the end of a long output.
  for (const { name, outcome } of stages) {
    if (outcome === 'failed') printEnd(path.join(argument, `${name}.log`), name)
  }
  for (const message of tests.messages) console.log(message)
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

/** The last lines of a stage's output, and earlier ones that name a failed test and its error. */
function printEnd(log, name) {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []
  const end = lines.length - 30
  const isShown = (index) => index >= end || lines.slice(index - 1, index + 1).some(isFailure)
  for (const [index, line] of lines.entries()) {
    if (isShown(index)) console.log(`${name} | ${line.slice(0, 240)}`)
  }
}

function isFailure(line) {
  return line.includes(' FAIL ')
}

/** The number of values in each state, such as `3 passed, 0 failed`. */
function countText(values, states, stateOf) {
  return states
    .map((state) => `${values.filter((value) => stateOf(value) === state).length} ${state}`)
    .join(', ')
}

/** The first result of each test. Those that failed and pass when they are repeated are listed. */
function readTests(folder) {
  const reports = ['all.json', 'repeated.json'].map((name) => path.join(folder, name))
  const files = existsSync(reports[0]) ? [...readReport(reports[0]).values()] : []
  const repeated = existsSync(reports[1]) ? readReport(reports[1]) : new Map()
  const failed = files.flatMap((file) => {
    const again = repeated.get(file.name)
    const failures = failedTests(file)
    if (again === undefined) return failures.map((test) => ({ test, isRace: false }))
    const failedAgain = new Set(failedTests(again))
    return failures.map((test) => ({ test, isRace: !failedAgain.has(test) }))
  })
  const tests = files.flatMap((file) => file.assertionResults)
  const skipped = files.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(isSkipped).map(({ fullName }) => `${name}: ${fullName}`),
  )
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: failed.length,
    skipped: skipped.length,
    failedOnce: failed.filter(({ isRace }) => isRace).map(({ test }) => test),
    failedTests: failed.filter(({ isRace }) => !isRace).map(({ test }) => test),
    messages: tests.flatMap(({ fullName, failureMessages = [] }) =>
      failureMessages.map((message) => `${fullName} | ${message.slice(0, 1000)}`),
    ),
    notProved: existsSync(reports[0]) ? skipped : ['tests: no result'],
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
    const [name, outcome, seconds, detail, kind] = line.split('\t')
    const log = path.join(folder, `${name}.log`)
    const text = existsSync(log) ? readFileSync(log, 'utf8') : ''
    const hasCases = kind === 'drill' && outcome !== 'not run'
    return { name, outcome, seconds, detail, cases: hasCases ? readCases(name, text) : null }
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

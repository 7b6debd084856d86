// Reads the JSON reports of vitest for .ci/run.
//   node .ci/test-results.mjs failed-files <report>
//   node .ci/test-results.mjs summary <report> [report of the repeated files]
import { readFileSync } from 'node:fs'
import path from 'node:path'

const [command, report, repeated] = process.argv.slice(2)
const files = readReport(report)

if (command === 'failed-files') {
  for (const { name, status } of files.values()) if (status === 'failed') console.log(name)
} else {
  for (const file of repeated === undefined ? [] : readReport(repeated).values()) {
    for (const test of failedTests(files.get(file.name))) console.log(`failed once: ${test}`)
    files.set(file.name, file)
  }
  const tests = [...files.values()].flatMap((file) => file.assertionResults)
  const count = (...states) => tests.filter(({ status }) => states.includes(status)).length
  const skipped = count('pending', 'skipped', 'todo', 'disabled')
  console.log(`${count('passed')} passed, ${count('failed')} failed, ${skipped} skipped`)
}

/** The results of each test file, by its path below the folder of the project. */
function readReport(file) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
  const results = testResults.map((one) => ({ ...one, name: path.relative('.', one.name) }))
  return new Map(results.map((one) => [one.name, one]))
}

function failedTests({ name, assertionResults }) {
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  return failed.length === 0 ? [name] : failed.map(({ fullName }) => `${name}: ${fullName}`)
}

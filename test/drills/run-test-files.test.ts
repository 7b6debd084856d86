import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { resultsOf } from './run-test-files.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ERROR = new Error('vitest failed')

function result(file: string, status: string, failureMessages: readonly string[] = []) {
  const tests = failureMessages.map((message) => ({
    fullName: 'a test',
    status: 'failed',
    failureMessages: [message],
  }))
  return { name: path.join(ROOT, file), status, message: '', assertionResults: tests }
}

const PASSED = result('test/a.drill.ts', 'passed')
const FAILED = result('test/b.drill.ts', 'failed')

it('a failed file fails its own case only', () => {
  const run = { error: ERROR, results: [PASSED, FAILED] }
  expect(resultsOf(['test/a.drill.ts'], run)).toEqual([PASSED])
  expect(() => resultsOf(['test/b.drill.ts'], run)).toThrow(ERROR)
  expect(() => resultsOf(['test/a.drill.ts', 'test/b.drill.ts'], run)).toThrow(ERROR)
})

it('a failed file fails its case with its errors, and then the output', () => {
  const results = [result('test/a.drill.ts', 'failed', ['1 is not 2']), FAILED]
  const error = `${path.join(ROOT, 'test/a.drill.ts')}: a test\n1 is not 2\nvitest failed`
  expect(() => resultsOf(['test/a.drill.ts'], { error: ERROR, results })).toThrow(error)
})

it.each([
  ['no file explains', [PASSED]],
  ['came before the report', []],
])('a failure that %s fails all cases', (_, results) => {
  expect(() => resultsOf(['test/a.drill.ts'], { error: ERROR, results })).toThrow(ERROR)
})

it('a file that has not run fails its case', () => {
  const run = { error: null, results: [PASSED] }
  expect(() => resultsOf(['test/a.drill.ts', 'test/c.drill.ts'], run)).toThrow('c.drill.ts')
})

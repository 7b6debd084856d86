import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { Results } from '../../../src/tools/planes-differences/suite-results.ts'
import { EXPECTED as EXPECTED_SPECS } from './e2e/expected-failures.ts'
import type { Release } from './programs.ts'
import { countByReason } from './results.ts'
import { UNSERVED } from './test-cmd/compare-assertions.ts'
import { EXPECTED as EXPECTED_LINES } from './test-cmd/not-applicable.ts'

const RELEASES: readonly Release[] = ['1.35', '1.36']
const text = await readFile(new URL('results.json', import.meta.url), 'utf8')
const results: Results = JSON.parse(text)

it.each(RELEASES)('the committed results of specs in %s are those of the lists', (release) => {
  expect(results[release]?.['e2e']?.others).toEqual({
    specs: countByReason(Object.assign({}, ...Object.values(EXPECTED_SPECS[release]))),
  })
})

it.each(RELEASES)('the committed results of assertions in %s are those of the lists', (release) => {
  const { notApplicable, notRun } = EXPECTED_LINES[release]
  const { assertions, commands, functions } = results[release]?.['test/cmd']?.others ?? {}
  expect(new Set(Object.keys({ ...assertions, ...commands }))).toEqual(
    new Set([...Object.keys(notApplicable), UNSERVED]),
  )
  expect(functions).toEqual(countByReason(notRun))
})

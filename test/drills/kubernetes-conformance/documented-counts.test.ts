import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { COUNTS as SPECS } from './e2e/expected-failures.ts'
import { COUNTS as ASSERTIONS } from './test-cmd/not-applicable.ts'

it('docs/planes.md states the counts that the drill expects', async () => {
  const text = await readFile(new URL('../../../docs/planes.md', import.meta.url), 'utf8')
  expect(ASSERTIONS.passed).toBe(ASSERTIONS.applicable)
  expect(text).toContain(`has ${ASSERTIONS.applicable} applicable assertions, and all hold.`)
  expect(SPECS.applicable.passed).toBe(SPECS.applicable.specs)
  expect(text).toContain(`${SPECS.applicable.specs} are applicable, and all pass.`)
  expect(text).toContain(`${SPECS.notApplicable} specs need more than a plane has`)
  expect(text).toContain(`and ${SPECS.skipped} skip themselves.`)
})

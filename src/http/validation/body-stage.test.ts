import type { Response } from 'express'
import { expect, test } from 'vitest'
import type { Violation } from '../../lib/errors.ts'
import { addBodyViolations, withBodyViolations } from './body-stage.ts'

const COUNT = 2000

/** Violations that count how often their fields are read. */
function countedViolations(constraint: string): { violations: Violation[]; reads: () => number } {
  let reads = 0
  const violations = Array.from({ length: COUNT }, (_, index) => ({
    constraint,
    message: '',
    get field() {
      reads += 1
      return `items[${index}]`
    },
  }))
  return { violations, reads: () => reads }
}

test('compares the violations of a body and a schema in linear time', () => {
  const bySchema = countedViolations('enum')
  const inBody = countedViolations('unique')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `locals` is used
  const response = { locals: {} } as Response
  addBodyViolations(response, inBody.violations)
  expect(withBodyViolations(bySchema.violations, response)).toHaveLength(2 * COUNT)
  expect(bySchema.reads()).toBeLessThanOrEqual(2 * COUNT)
  expect(inBody.reads()).toBeLessThanOrEqual(2 * COUNT)
  addBodyViolations(response, [{ field: 'items[0]', message: '', constraint: 'enum' }])
  expect(withBodyViolations(bySchema.violations, response)).toHaveLength(2 * COUNT)
})

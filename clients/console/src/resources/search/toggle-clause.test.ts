import { expect, it } from 'vitest'
import { toggleClause } from './toggle-clause.ts'

const CLAUSE = "status.conditions.Ready='False'"

it.each([
  ['', CLAUSE],
  ["name='a'", `name='a' and ${CLAUSE}`],
  ["name='a' or name='b'", `(name='a' or name='b') and ${CLAUSE}`],
  ["name='this or that'", `name='this or that' and ${CLAUSE}`],
])('adds a clause to "%s" and removes it again', (search, expected) => {
  expect(toggleClause(search, CLAUSE)).toBe(expected)
  expect(toggleClause(expected, CLAUSE)).toBe(search)
})

it('removes a clause from the beginning', () => {
  expect(toggleClause(`${CLAUSE} and name='a'`, CLAUSE)).toBe("name='a'")
})

import { expect, it } from 'vitest'
import { nameContains } from './name-contains.ts'

it('searches for the text itself, not for a pattern', () => {
  expect(nameContains('eu_100%')).toBe(`name ilike '%eu\\_100\\%%'`)
})

it('keeps quotes inside the literal', () => {
  expect(nameContains(`a' or name like '`)).toBe(`name ilike '%a'' or name like ''%'`)
})

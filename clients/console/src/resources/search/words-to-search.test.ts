import { expect, test } from 'vitest'
import { wordsToSearch } from './words-to-search.ts'

test.each([
  ['payments', "name ilike '%payments%'"],
  [' eu-west-1 ', "name ilike '%eu-west-1%'"],
  ['042', "name ilike '%042%'"],
  ['a_b', "name ilike '%a\\_b%'"],
  ['prod payments', "name ilike '%prod%' and name ilike '%payments%'"],
])('%s finds names', (text, search) => {
  expect(wordsToSearch(text)).toBe(search)
})

test.each([
  '',
  "name = 'payments'",
  'generation > 3',
  'deleted_time is null',
  'true',
  'not payments',
  "labels.tier in ('gold')",
  "'payments'",
])('%s stays as it is', (text) => {
  expect(wordsToSearch(text)).toBe(text)
})

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const page = await readFile(new URL('../../docs/glossary.md', import.meta.url), 'utf8')
const terms = [...page.matchAll(/^- \*\*(.+?)\*\*: /gm)].map(([, term]) => term)

test('the glossary states its number of terms', () => {
  expect(page).toMatch(new RegExp(`^The ${terms.length} terms`, 'm'))
})

test('the glossary explains each term once', () => {
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([])
})

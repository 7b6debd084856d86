import { expect, it } from 'vitest'
import { withAbsoluteLinks } from './absolute-links.ts'

const BASE = 'https://git.example.com/fleet/flotilla/blob/v0.2.0'

it.each([
  ['[a](docs/a.md#part)', `[a](${BASE}/docs/a.md#part)`],
  ['[a](../../docs/a.md)', `[a](${BASE}/docs/a.md)`, 'clients/python'],
  ['![a](b.png)', `![a](${BASE}/b.png)`],
  ['[a](#part), [b](https://b.example), [c](mailto:c@c.example)'],
])('makes the relative links of %s absolute', (page, expected = page, folder = '.') => {
  expect(withAbsoluteLinks(page, BASE, folder)).toBe(expected)
})

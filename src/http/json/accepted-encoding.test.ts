import { expect, it } from 'vitest'
import { acceptedEncoding } from './accepted-encoding.ts'

const ALL = ['br', 'gzip'] as const

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['', null],
  ['identity', null],
  ['deflate', null],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0.4, gzip;q=0.8', 'gzip'],
  ['br; q=0.5 , gzip ; q=0.5', 'br'],
  ['br;q=x', null],
  ['gzip;q=0', null],
])("chooses for '%s' the encoding %s", (header, expected) => {
  expect(acceptedEncoding(header, ALL)).toBe(expected)
})

it('chooses only encodings in which the file is stored', () => {
  expect(acceptedEncoding('br, gzip', ['gzip'])).toBe('gzip')
  expect(acceptedEncoding('br, gzip', [])).toBeNull()
})

import { expect, test } from 'vitest'
import { readPublicUrl } from './public-url.ts'

test.each([
  ['https://flotilla.example.com', 'https://flotilla.example.com'],
  ['https://flotilla.example.com/', 'https://flotilla.example.com'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://[::1]:8000', 'http://[::1]:8000'],
])('reads %s', (text, origin) => {
  expect(readPublicUrl(text)).toBe(origin)
})

test.each([
  ['flotilla.example.com', 'https://flotilla.example.com'],
  ['ftp://flotilla.example.com', 'https://flotilla.example.com'],
  ['null', 'https://flotilla.example.com'],
  ['*', 'https://flotilla.example.com'],
  ['https://a.example/console', 'https://a.example'],
  ['https://a.example?x', 'https://a.example'],
  ['https://a.example/#', 'https://a.example'],
  ['https://user@a.example', 'https://a.example'],
  ['HTTPS://A.example:443', 'https://a.example'],
])('rejects %s and suggests a form', (text, hint) => {
  expect(() => readPublicUrl(text)).toThrow(`such as ${hint}, found '${text}'`)
})

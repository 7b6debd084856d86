import { describe, expect, it } from 'vitest'
import { exactJson } from './exact-json.ts'

describe('exactJson', () => {
  it.each([
    '9223372036854775808',
    '-9223372036854775808',
    '18446744073709551616',
    '36893488147419103232',
    '18014398509481988',
    '9007199254740992',
    '0.1234567890123456',
    '1e+21',
    '-0.5',
  ])('serializes %s unchanged', (literal) => {
    const text = `{"a":[${literal},"x",${literal}],"b":${literal}}`
    expect(exactJson(JSON.parse(text))).toBe(text)
  })

  it('does not change digits in strings and keys', () => {
    const value = { '9223372036854776000': '9223372036854776000 "18446744073709552000"' }
    expect(exactJson(value)).toBe(JSON.stringify(value))
  })
})

import { describe, expect, it } from 'vitest'
import type { JsonValue } from './json.ts'
import { hasPlaceholders, replacePlaceholders } from './replace-placeholders.ts'

const VALUES = { name: 'rl-0007', index: 7 }

describe('replacePlaceholders', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['a name', '${name}', 'rl-0007'],
    ['an index without leading zeros', 'seed-${index}', 'seed-7'],
    ['several in one text', '${name}/${index}/${name}', 'rl-0007/7/rl-0007'],
    ['nested values', { a: [{ b: 'x-${index}' }, 1] }, { a: [{ b: 'x-7' }, 1] }],
    ['the text after a value', '${name}${index}', 'rl-00077'],
    ['an escaped placeholder', 'echo $${name}', 'echo ${name}'],
    ['a dollar sign before an escaped placeholder', '$$${index}', '$${index}'],
  ])('replaces %s', (_case, template, expected) => {
    expect(replacePlaceholders(template, VALUES)).toEqual(expected)
    expect(hasPlaceholders(template)).toBe(true)
  })

  it.each<[string, JsonValue]>([
    ['keys', { '${name}': 1 }],
    ['unknown placeholders', '${HOME} $${HOME} ${Name} ${name }'],
    ['text without placeholders', { a: ['$name', '{index}', null, true, 1.5] }],
  ])('keeps %s', (_case, template) => {
    expect(replacePlaceholders(template, VALUES)).toBe(template)
    expect(hasPlaceholders(template)).toBe(false)
  })

  it('inserts values that contain replacement patterns as they are', () => {
    expect(replacePlaceholders('<${name}>', { name: '$&$1${index}', index: 1 })).toBe(
      '<$&$1${index}>',
    )
  })

  it('keeps a member named __proto__ as a member', () => {
    const template: JsonValue = JSON.parse('{"__proto__": {"a": "${name}"}}')
    expect(JSON.stringify(replacePlaceholders(template, VALUES))).toBe(
      '{"__proto__":{"a":"rl-0007"}}',
    )
  })

  it('keeps the identity of unchanged parts', () => {
    const same = { deep: ['text'] }
    const replaced = replacePlaceholders({ same, other: '${index}' }, VALUES)
    expect(replaced).toEqual({ same, other: '7' })
    expect(Object.values(replaced)[0]).toBe(same)
  })
})

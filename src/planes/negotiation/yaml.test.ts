import fc from 'fast-check'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import { parseYaml } from './parse-yaml.ts'
import { serialize } from './serialize.ts'
import { allSteps, KEYS_PER_STEP } from '../../lib/async/steps.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import { yamlInSteps } from './to-yaml.ts'

const toYaml = (value: JsonValue) => allSteps(yamlInSteps(value))

describe('YAML bodies', () => {
  it('R14: formats objects in block style', () => {
    const object = {
      kind: 'ConfigMap',
      items: [{ a: 'yes', b: [1, [2]] }, [], {}],
      data: { x: 'a: b' },
    }
    expect(toYaml(object)).toBe(
      'kind: ConfigMap\nitems:\n- a: "yes"\n  b:\n  - 1\n  - - 2\n- []\n- {}\ndata:\n  x: "a: b"\n',
    )
  })

  it('pauses within large objects and lists', () => {
    const keys = Array.from({ length: 2 * KEYS_PER_STEP }, (_, index) => `k${index}`)
    const large = { data: Object.fromEntries(keys.map((key) => [key, 'a'])), keys }
    expect([...yamlInSteps(large)].length).toBeGreaterThanOrEqual(4)
  })

  it('R14: serializes in the encoding of the request', async () => {
    expect(await serialize({ a: 1 }, 'yaml')).toEqual({
      contentType: 'application/yaml',
      text: 'a: 1\n',
    })
    expect(await serialize({ a: 1 }, 'json')).toEqual({
      contentType: 'application/json',
      text: '{"a":1}',
    })
  })

  it('R14: any JSON survives the way through YAML 1.2, YAML 1.1 and back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium', stringUnit: 'grapheme' }), (value) => {
        const normalized: unknown = JSON.parse(JSON.stringify(value))
        const yaml = toYaml(JSON.parse(JSON.stringify(value)))
        expect(parse(yaml)).toEqual(normalized)
        expect(parse(yaml, { version: '1.1' })).toEqual(normalized)
        expect(parseYaml(yaml).value).toEqual(normalized)
      }),
    )
  })

  it('parses anchors, merge keys, and JSON', () => {
    expect(parseYaml('base: &b {a: 1}\nderived:\n  <<: *b\n  c: 2\n').value).toEqual({
      base: { a: 1 },
      derived: { a: 1, c: 2 },
    })
    expect(parseYaml(' {"a": "x"}').value).toEqual({ a: 'x' })
    expect(parseYaml('__proto__: {a: 1}\nb: 2020-01-01').value).toEqual(
      JSON.parse('{"__proto__": {"a": 1}, "b": "2020-01-01"}'),
    )
  })

  it.each([
    ['a: [', 'error converting YAML to JSON'],
    [`{${'"'.repeat(60_000)}`, 'yaml: line 1: Missing'],
    ['a: 1\n---\nb: 2', 'multiple documents'],
    ['a: .inf', 'out of range'],
    [`a: ${'['.repeat(500)}${']'.repeat(500)}`, 'error converting YAML to JSON'],
    [
      `a: &a [${'1,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\nc: &c [${'*b,'.repeat(50)}]\nd: [${'*c,'.repeat(50)}]`,
      'error converting YAML to JSON',
    ],
  ])('rejects malformed and complex YAML with a 400 (%#)', (text, message) => {
    expect(() => parseYaml(text)).toThrow(
      expect.objectContaining({ code: 400, message: expect.stringContaining(message) }),
    )
  })

  it('rejects long YAML', () => {
    const long = 'x'.repeat(200_000)
    expect(() => parseYaml(`a: ${long}`)).toThrow('send JSON instead')
  })
})

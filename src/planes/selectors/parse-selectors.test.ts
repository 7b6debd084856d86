import { describe, expect, it } from 'vitest'
import type { ResourceType } from '../model/resource-type.ts'
import { matchesLabels } from '../../store/objects/selection/matches-selector.ts'
import { parseFieldSelector } from './parse-field-selector.ts'
import { parseLabelSelector } from './parse-label-selector.ts'
import { parseSelectors } from './parse-selectors.ts'

describe('R12: label selectors', () => {
  it.each([
    ['', []],
    ['a', [{ operator: 'exists', key: 'a' }]],
    ['!a', [{ operator: 'absent', key: 'a' }]],
    ['a=b', [{ operator: 'in', key: 'a', values: ['b'] }]],
    ['a==b', [{ operator: 'in', key: 'a', values: ['b'] }]],
    ['a=', [{ operator: 'in', key: 'a', values: [''] }]],
    ['a!=b', [{ operator: 'not-in', key: 'a', values: ['b'] }]],
    [' a in ( y , x, y ) ', [{ operator: 'in', key: 'a', values: ['x', 'y'] }]],
    ['a notin (x)', [{ operator: 'not-in', key: 'a', values: ['x'] }]],
    ['a in ()', [{ operator: 'in', key: 'a', values: [''] }]],
    ['a in (x,)', [{ operator: 'in', key: 'a', values: ['', 'x'] }]],
    ['in in (notin,in)', [{ operator: 'in', key: 'in', values: ['in', 'notin'] }]],
    ['a>5', [{ operator: 'greater', key: 'a', value: 5n }]],
    ['a<5', [{ operator: 'less', key: 'a', value: 5n }]],
    [
      'example.com/a,b=c',
      [
        { operator: 'exists', key: 'example.com/a' },
        { operator: 'in', key: 'b', values: ['c'] },
      ],
    ],
  ])('R12: parses %j', (selector, expected) => {
    expect(parseLabelSelector(selector)).toEqual(expected)
  })

  it.each([
    ['a~b', 'unable to parse requirement: <nil>: Invalid value: "a~b": name part must consist of'],
    [
      'a like b',
      "unable to parse requirement: found 'like', expected: in, notin, =, ==, !=, gt, lt",
    ],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['=b', "found '=', expected: !, identifier, or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    [
      'a>x',
      "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators",
    ],
    ['a=-', 'unable to parse requirement: values[0][a]: Invalid value: "-": a valid label must be'],
    [`a=${'x'.repeat(64)}`, 'must be no more than 63 bytes'],
    ['/a', 'prefix part must be non-empty'],
    ['A/a', 'prefix part a lowercase RFC 1123 subdomain'],
    ['a/b/c', 'a valid label key must consist of'],
    ['a\0b', 'Invalid value: "a\\u0000b"'],
  ])('R12: rejects %j with a 400', (selector, message) => {
    expect(() => parseLabelSelector(selector)).toThrow(
      expect.objectContaining({ code: 400, message: expect.stringContaining(message) }),
    )
  })

  it('R12: != and notin match objects without the key', () => {
    const matches = (selector: string, labels: Record<string, string>) =>
      matchesLabels(parseLabelSelector(selector), labels)
    expect(matches('a!=b', {})).toBe(true)
    expect(matches('a notin (b)', {})).toBe(true)
    expect(matches('a!=b', { a: 'b' })).toBe(false)
    expect(matches('a=', {})).toBe(false)
    expect(matches('constructor', {})).toBe(false)
  })

  it('R12: > and < compare integers and ignore other values', () => {
    const matches = (value: string) => matchesLabels(parseLabelSelector('a>9'), { a: value })
    expect(matches('10')).toBe(true)
    expect(matches('9')).toBe(false)
    expect(matches('x')).toBe(false)
    expect(matches('9223372036854775807')).toBe(true)
    expect(matches('9223372036854775808')).toBe(false)
  })
})

describe('R13: field selectors', () => {
  it.each([
    ['a=b', [{ operator: 'equals', field: 'a', value: 'b' }]],
    ['a==b,', [{ operator: 'equals', field: 'a', value: 'b' }]],
    [
      'a!=b,c=',
      [
        { operator: 'not-equals', field: 'a', value: 'b' },
        { operator: 'equals', field: 'c', value: '' },
      ],
    ],
    ['a=b\\,c\\=d\\\\', [{ operator: 'equals', field: 'a', value: 'b,c=d\\' }]],
  ])('R13: parses %j', (selector, expected) => {
    expect(parseFieldSelector(selector)).toEqual(expected)
  })

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['a=\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('R13: rejects %j with a 400', (selector, message) => {
    expect(() => parseFieldSelector(selector)).toThrow(
      expect.objectContaining({ code: 400, message }),
    )
  })

  const version = {
    name: 'v1',
    served: true,
    schema: {},
    printerColumns: [],
    selectableFields: ['spec.host'],
    hasStatus: false,
    scale: null,
  }
  const second = { ...version, name: 'v2', selectableFields: [] }
  const type: ResourceType = {
    group: 'example.com',
    plural: 'sites',
    singular: 'site',
    kind: 'Site',
    listKind: 'SiteList',
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: [],
    versions: [version, second],
    storageVersion: 'v1',
    isCustom: true,
  }
  const parse = (fieldSelector: string, ofType = type, ofVersion = version) =>
    parseSelectors({ fieldSelector }, ofType, ofVersion).fields.map(({ field }) => field)

  it('R13: allows name, namespace and the selectable fields of the version', () => {
    expect(parse('metadata.name=a,metadata.namespace=b,spec.host=c')).toEqual([
      'metadata.name',
      'metadata.namespace',
      'spec.host',
    ])
    expect(() => parse('spec.host=c', type, second)).toThrow('field label not supported: spec.host')
    expect(() => parse('spec.port=c')).toThrow('field label not supported: spec.port')
    expect(() => parse('metadata.namespace=c', { ...type, namespaced: false })).toThrow(
      'field label not supported: metadata.namespace',
    )
  })

  it('R13: native types without selectable fields allow name and namespace', () => {
    const native = { ...type, isCustom: false }
    expect(() => parse('spec.host=c', native, second)).toThrow(
      '"spec.host" is not a known field selector: only "metadata.name", "metadata.namespace"',
    )
  })
})

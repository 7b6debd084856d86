import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { FlotillaError } from '../../../lib/errors.ts'
import { bind } from '../bind/bind.ts'
import { neutral, rejection, RESOURCE_FIELDS, withoutSpans, type Neutral } from '../fixtures.ts'
import { parse, parseAll } from './parse.ts'

interface Vector {
  readonly q: string
  readonly accept: boolean
  readonly parseOnly?: boolean
  readonly tree?: Neutral
}

const file = new URL('../../../../test/vectors/tsl.json', import.meta.url)
const vectors: { readonly cases: readonly Vector[] } = JSON.parse(readFileSync(file, 'utf8'))

describe('the vectors', () => {
  it.each(vectors.cases.filter(({ accept }) => accept))('accepts $q', (vector) => {
    const expression = parse(vector.q)
    expect(expression === null ? null : neutral(expression)).toEqual(vector.tree)
    if (expression !== null && vector.parseOnly !== true) bind(expression, RESOURCE_FIELDS)
  })

  it.each(vectors.cases.filter(({ accept }) => !accept))('rejects $q', ({ q }) => {
    const error = rejection(q)
    expect(error.reason).toBe('invalid-search')
    expect(error.message).toMatch(/^search: .+ at \d+/s)
    const [violation] = error.causes
    expect(violation?.field).toBe('search')
    const { position = -1, length = -1 } = violation ?? {}
    expect(violation?.value).toBe(q.slice(position, position + length))
  })
})

describe('an error', () => {
  it('has the position, the expectation and the unexpected text', () => {
    const error = rejection("labels.env = 'x' and name =")
    expect(error.message).toBe("search: expected a value after '=' at 27, found end of text")
    expect(error.causes).toEqual([
      {
        field: 'search',
        message: "expected a value after '=' at 27, found end of text",
        value: '',
        position: 27,
        length: 0,
      },
    ])
  })

  it('counts positions in the text as sent, including blanks and wide characters', () => {
    const [violation] = rejection("  name = '🎉' && id = 'x'").causes
    expect(violation).toMatchObject({ position: 14, length: 2, value: '&&' })
  })

  it.each([
    ['name = "x', 'close it with "'],
    ["name === 'x'", "expected a value after '=='"],
    ["name = 'it\\'s'", "write '' for a quote"],
    ["name = 'it\\'' or name = 'x'", "write '' for a quote"],
    ['generation = 1 && generation = 2', "write 'and'"],
    ['generation = 1 || generation = 2', "write 'or'"],
    ['! generation = 1', "write 'not'"],
    ["name ~= 'x'", 'regular expressions'],
    ["name =~ 'x'", 'regular expressions'],
    ["lower(name) = 'x'", 'functions are not supported'],
    ['generation + 1 = 2', 'arithmetic'],
    ['generation = 1 - 1', 'arithmetic'],
    ['generation => 1', "write '>='"],
    ['generation = .5', 'write 0 before the dot'],
    ['generation = 1e', 'digits must follow'],
    ['generation = 1,000', "need 'in (...)'"],
    ['generation = 1 = 1', "use 'between'"],
    ['generation = null', "write 'is null'"],
    ['name not null', "write 'is not null'"],
    ['name = prod', "quote text with '"],
    ["name contains 'x'", "use 'like'"],
    ["labels['env'] = 'x'", 'labels.<key>'],
    ["labels..x = 'y'", 'labels."my key"'],
    ["'x' = 'y'", 'a field on one side'],
    ["'x' in ('y', name)", 'a field on one side'],
    ['1 between 0 and 2', 'a field on one side'],
    ["'x' like name", 'expected an operator'],
    ["'x'", 'expected an operator'],
    ['labels.team=blue-green', "quote text with '"],
    ["name in ('a',)", 'remove the comma'],
    ["name in (('a'))", 'do not nest'],
    ["name = ('a', 'b')", "need 'in (...)'"],
    ["name = ['a']", "only 'in' takes a list"],
    ['created_time in [2026-01-01T00:00:00Z]', 'quote times'],
    ['generation = 5K', 'write k for 1000 or Ki for 1024'],
    ["name = 'x' -- c", 'comments'],
    ["name\u{a0}= 'x'", 'found U+00A0; only space, tab'],
    ["name = 'x'\ud800", 'found U+D800'],
    ["name = '\udc00'", 'surrogate'],
    ['labels."\ud800" = 1', 'surrogate'],
    ['spec."\ud800" = 1', 'surrogate'],
    ['spec."a".x."\0" = 1', 'U+0000'],
    ['spec."a = 1', 'close it with "'],
    ['spec. = 1', 'spec."my key"'],
    ["spec.a..b = 'x'", 'spec."my key"'],
    ['spec.a."" . b = 1', 'a part of the name is empty'],
    ["spec.nodes[0] = 'x'", 'write spec.<key>.0'],
    ["spec.app.kubernetes.io/name = 'x'", 'quote a key'],
    ["spec.on and name = 'x'", "write '= true'"],
    ['(not spec.on)', "write '= true'"],
    ['spec.on', "write '= true'"],
    ['spec.a like spec.b', "quote text with '"],
    ['(name) and true', 'expected an operator'],
    ["name = 'a\0'", 'U+0000'],
  ])('has a hint for %j', (text, hint) => {
    expect(rejection(text).message).toContain(hint)
  })

  it('shortens a long text in its message and value', () => {
    const word = rejection(`name ${'x'.repeat(500)}`)
    expect(word.message).toContain(`found '${'x'.repeat(40)}…'`)
    expect(word.causes[0]).toMatchObject({ value: `${'x'.repeat(100)}…`, length: 500 })
  })
})

describe('fields', () => {
  it('accept quoted label keys, in which a doubled quote is one quote', () => {
    expect(parse(`labels."my ""key"""='x'`)).toMatchObject({
      field: { type: 'label', key: 'my "key"' },
    })
  })

  it('are the same label with a bare and a quoted key', () => {
    expect(withoutSpans(parse('labels."a-b/c" = 1'))).toEqual(
      withoutSpans(parse('labels.a-b/c = 1')),
    )
  })

  it.each(['in', 'true', 'FALSE', 'null'])(
    'can be called %s after a dot, but not before one',
    (word) => {
      expect(parse(`a.${word} = 'x'`)).toMatchObject({ field: { name: `a.${word}` } })
      expect(parse(`labels.${word} = 'x'`)).toMatchObject({ field: { key: word } })
      expect(parse(`spec.${word}.${word} = 'x'`)).toMatchObject({ field: { path: [word, word] } })
      expect(() => parse(`${word}.a = 'x'`)).toThrow(FlotillaError)
    },
  )

  it.each([
    ['spec.a', ['a']],
    ['spec.nodePools.0.Machine_type-2', ['nodePools', '0', 'Machine_type-2']],
    ['spec.-1.--', ['-1', '--']],
    ['spec."my key".x', ['my key', 'x']],
    ['spec.x."a.b/c"', ['x', 'a.b/c']],
    ['spec."say ""hi""".x."\u{1f600}"', ['say "hi"', 'x', '\u{1f600}']],
    ['spec."".""', ['', '']],
    ['spec.spec.labels', ['spec', 'labels']],
  ])('accept the path %s into the spec', (text, path) => {
    for (const rest of ['=1', ' = 1', ' is null', ' in(1)']) {
      expect(parse(text + rest)).toMatchObject({ field: { type: 'spec', path } })
    }
  })

  it.each(['spec', 'Spec.a', 'specs.a', 'a.spec.b'])('treat %s as a name', (name) => {
    expect(parse(`${name} = 1`)).toMatchObject({ field: { type: 'name', name } })
  })
})

describe('true and false', () => {
  it.each(['true', 'True', 'FALSE', 'faLSe'])('take any case: %s', (word) => {
    const literal = { type: 'boolean', value: word.toLowerCase() === 'true' }
    expect(parse(`a = ${word}`)).toMatchObject({ type: 'compare', value: literal })
    expect(parse(`a in (${word}, ${word})`)).toMatchObject({ values: [literal, literal] })
    expect(parse(`a between ${word} and ${word}`)).toMatchObject({ low: literal, high: literal })
    expect(parse(`a is ${word}`)).toMatchObject({ operator: '=', value: literal })
    expect(parse(`a is not ${word}`)).toMatchObject({ operator: '!=', value: literal })
  })

  it('are separate words', () => {
    expect(parse('trueish = 1')).toMatchObject({ field: { name: 'trueish' } })
    expect(rejection('name = trueish').message).toContain("quote text with '")
    expect(rejection('a like true').message).toContain('expected a quoted pattern')
  })
})

describe('TSL 6', () => {
  it.each([
    ['a = "it\'s"', "a = 'it''s'"],
    ['a = `x"y`', "a = 'x\"y'"],
    ['a = "\\n\\"\\\\\\q"', "a = '\n\"\\q'"],
    ['a = `\u{1f600}\\\u{1f600}`', "a = '\u{1f600}\u{1f600}'"],
    ['a == 1', 'a = 1'],
    ["'x' = a", "a = 'x'"],
    ['1 < a and 2 >= b and 3 != c', 'a > 1 and b <= 2 and c != 3'],
    ['true = a', 'a = true'],
    ["'x' not in [a, b]", "not (a = 'x' or b = 'x')"],
    ['a in [1, b]', 'a in (1) or a = b'],
    ['a between b and 2', 'a >= b and a <= 2'],
    ['a in [1, 2,]', 'a in (1, 2)'],
    ['(a) = ((1)) and (a = (b))', 'a = 1 and a = b'],
    ["((a)) like 'x'", "a like 'x'"],
    ['a not ilike (("x"))', "a not ilike 'x'"],
    [
      'a > 2026-01-01 or a = 2026-01-01T10:00:00.5+02:00',
      "a > '2026-01-01' or a = '2026-01-01T10:00:00.5+02:00'",
    ],
    ['a in [2026-01-01, 2026-01-02]', "a in ('2026-01-01', '2026-01-02')"],
    ['a\f=\f1', 'a = 1'],
    ['not (true) or FALSE', 'not true or false'],
  ])('has the form %s', (text, same) => {
    expect(withoutSpans(parse(text))).toEqual(withoutSpans(parse(same)))
  })

  it.each([
    ['1Ki', '1024e0'],
    ['2k', '2000e0'],
    ['- 1.5Mi', '-15728640e-1'],
    ['3g', '3000000000e0'],
    ['1.e2T', '1000000000000e2'],
    ['1pI', '1125899906842624e0'],
  ])('multiplies %s', (text, decimal) => {
    expect(parse(`a = ${text}`)).toMatchObject({ value: { text: text.replace(' ', ''), decimal } })
  })
})

describe('spans', () => {
  it('cover each node in the text as sent', () => {
    const text = " not name = 'x' and (labels.a in (1, 2))"
    const slice = ({ start, end }: { start: number; end: number }) => text.slice(start, end)
    const expression = parse(text)
    if (expression?.type !== 'and') throw new Error('expected AND')
    const [first, second] = expression.operands
    expect(slice(expression.span)).toBe("not name = 'x' and (labels.a in (1, 2)")
    expect(first?.type === 'not' && slice(first.operand.span)).toBe("name = 'x'")
    if (second?.type !== 'in') throw new Error('expected IN')
    expect(slice(second.span)).toBe('labels.a in (1, 2)')
    expect(slice(second.field.span)).toBe('labels.a')
    expect(slice(second.operatorSpan)).toBe('in')
    expect(second.values.map(({ span }) => slice(span))).toEqual(['1', '2'])
  })
})

describe('limits', () => {
  const list = (items: number) => `id in (${Array.from({ length: items }, () => 1).join(',')})`
  const repeated = (times: number, text: string) =>
    Array.from({ length: times }, () => text).join(' or ')

  it.each([
    [
      'characters',
      `name = '${'x'.repeat(8183)}'`,
      `name = '${'x'.repeat(8184)}'`,
      '8192 characters',
    ],
    [
      'wide characters',
      `id = '${'🎉'.repeat(8185)}'`,
      `id = '${'🎉'.repeat(8186)}'`,
      '8192 characters',
    ],
    ['blanks', ' '.repeat(8192), ' '.repeat(8193), '8192 characters'],
    ['brackets', nested(512, '(', ')'), nested(513, '(', ')'), '512 levels'],
    ['nots', nested(512, 'not '), nested(513, 'not '), '512 levels'],
    ['comparisons', repeated(128, 'a=1'), repeated(129, 'a=1'), '128 comparisons'],
    ['items', `${list(600)} or ${list(400)}`, `${list(600)} or ${list(401)}`, '1000 list items'],
    ['likes', repeated(8, "a like ''"), `a ilike '' or ${repeated(8, "a like ''")}`, "8 'like'"],
    ['pattern', `a like '${'🎉'.repeat(128)}'`, `a like '${'x'.repeat(129)}'`, '128 characters'],
  ])('apply to %s', (_, within, beyond, name) => {
    expect(() => parse(within)).not.toThrow()
    expect(rejection(beyond).message).toContain(name)
  })

  it('count only open levels', () => {
    expect(() => parse(repeated(100, '((((((a=1))))))'))).not.toThrow()
  })

  it('report the position of the excess', () => {
    expect(rejection(repeated(129, 'a=1')).causes[0]).toMatchObject({
      position: 7 * 128,
      value: 'a',
    })
    expect(rejection(`name = '${'x'.repeat(9000)}'`).causes[0]).toMatchObject({
      position: 8192,
      length: 817,
    })
  })

  function nested(levels: number, open: string, close = ''): string {
    return `${open.repeat(levels)}a=1${close.repeat(levels)}`
  }
})

describe('the work', () => {
  const steps = (text: string): number => {
    const looks = vi.spyOn(String.prototype, 'charCodeAt')
    const cuts = vi.spyOn(String.prototype, 'slice')
    try {
      parse(text)
    } catch (error) {
      if (!(error instanceof FlotillaError)) throw error
    }
    const copied = cuts.mock.results.reduce((sum, { value }) => sum + String(value).length, 0)
    const count = looks.mock.calls.length + copied
    vi.restoreAllMocks()
    return count
  }

  it.each([
    ['one long text', (n: number) => `a='${'x'.repeat(n)}'`],
    ['doubled quotes', (n: number) => `a='${"''".repeat(n / 2)}'`],
    ['an unclosed text', (n: number) => `a='${'x'.repeat(n)}`],
    ['a long key', (n: number) => `labels.${'a/'.repeat(n / 2)}=1`],
    ['a long path', (n: number) => `spec.${'a.'.repeat(n / 2)}b=1`],
    ['a path of quoted keys', (n: number) => `spec.${'"".'.repeat(n / 4)}b=1`],
    ['a long name', (n: number) => `${'a.b.'.repeat(n / 4)}c=1`],
    ['blanks behind a sign', (n: number) => `a=-${' '.repeat(n)}1`],
    ['a sign before nothing', (n: number) => `a=-${' '.repeat(n)}`],
    ['a long number', (n: number) => `a=1${'0'.repeat(n)}`],
    ['a list', (n: number) => `a in (${'1,'.repeat(n / 8)}1)`],
    ['brackets', (n: number) => `${'('.repeat(n / 16)}a=1${')'.repeat(n / 16)}`],
    ['comparisons', (n: number) => `${'a=1 or '.repeat(n / 64)}a=1`],
    ['unclosed double quotes', (n: number) => `"${'""'.repeat(n / 2)}`],
  ])('is linear in the length for %s', (_, text) => {
    const [once, twice] = [steps(text(2048)), steps(text(4096))]
    expect(once).toBeGreaterThan(10)
    expect(twice).toBeLessThan(once * 2.1)
    expect(twice).toBeLessThan(text(4096).length * 6 + 200)
  })
})

it('joins several texts with and, and skips blank texts', () => {
  expect(parseAll([])).toBeNull()
  expect(parseAll(['', ' '])).toBeNull()
  expect(parseAll(['', "name='a'"])).toEqual(parse("name='a'"))
  expect(parseAll(["name='a' or id='b'", "kind='c'"])).toMatchObject({
    type: 'and',
    operands: [parse("name='a' or id='b'"), parse("kind='c'")],
  })
})

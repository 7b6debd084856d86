import fc, { type Arbitrary } from 'fast-check'
import { generate } from 'peggy'
import { expect, it } from 'vitest'
import { proofSize } from '../../../test/support/proof-size.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { neutral, type Neutral } from './fixtures.ts'
import { parse } from './language/parse.ts'

/** The grammar for a parser generator, whose result must equal that of the hand-written parser. */
const oracle = generate(String.raw`
{{
const wrap = (not, tree) => not ? ['not', tree] : tree
const MIRRORED = { '=': '=', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' }
const relate = (l, o, r) => l.field === undefined ? [MIRRORED[o], r.field, l.literal]
  : [o, l.field, r.field === undefined ? r.literal : { field: r.field }]
const join = (word, trees) => trees.reduce((l, r) => [word, l, r])
function within(f, items) {
  const literals = items.filter((item) => item.field === undefined).map((item) => item.literal)
  const fields = items.filter((item) => item.field !== undefined)
  const trees = fields.map((item) => relate({ field: f }, '=', item))
  return join('or', literals.length > 0 || trees.length === 0 ? [['in', f, literals], ...trees] : trees)
}
}}
start = _ e:or? _ { return e }
or = head:and tail:(_ OR _ @and)* { return tail.reduce((l, r) => ['or', l, r], head) }
and = head:not tail:(_ AND _ @not)* { return tail.reduce((l, r) => ['and', l, r], head) }
not = NOT _ e:not { return ['not', e] } / primary
primary = comparison / "(" _ @or _ ")" / boolean
comparison
  = l:left _ o:operator _ r:operand &{ return l.field !== undefined || r.field !== undefined } {
      return relate(l, o, r)
    }
  / f:leftField _ n:NOT? _ IN _ v:list { return wrap(n, within(f, v)) }
  / l:left _ n:NOT? _ IN _ v:list
    &{ return l.field === undefined && v.length > 0 && v.every((item) => item.field !== undefined) } {
      return wrap(n, join('or', v.map((item) => relate(l, '=', item))))
    }
  / f:leftField _ n:NOT? _ o:like _ v:pattern { return wrap(n, [o, f, v]) }
  / f:leftField _ n:NOT? _ BETWEEN _ l:operand _ AND _ h:operand
    &{ return l.field === undefined && h.field === undefined } {
      return wrap(n, ['between', f, l.literal, h.literal])
    }
  / l:left _ n:NOT? _ BETWEEN _ low:operand _ AND _ high:operand
    &{ return l.field !== undefined || (low.field !== undefined && high.field !== undefined) } {
      return wrap(n, ['and', relate(l, '>=', low), relate(l, '<=', high)])
    }
  / f:leftField _ IS _ n:NOT? _ NULL { return wrap(n, ['is-null', f]) }
  / f:leftField _ IS _ n:NOT? _ v:literal { return [n ? '!=' : '=', f, v] }
operator = o:("!=" / "<>" / "<=" / ">=" / "==" / "=" / "<" / ">") {
  return o === '<>' ? '!=' : o === '==' ? '=' : o
}
left = operand
leftField = o:operand &{ return o.field !== undefined } { return o.field }
operand = "(" _ @operand _ ")" / one
one = l:literal { return { literal: l } } / f:field { return { field: f } }
pattern = "(" _ @pattern _ ")" / string / time
like = LIKE { return 'like' } / ILIKE { return 'ilike' }
list = "(" _ @items _ ")" / "[" _ @items _ "]" / "[" _ @items1 _ "," _ "]"
items = items1 / "" { return [] }
items1 = head:one tail:(_ "," _ @one)* { return [head, ...tail] }
literal = string / time / number / boolean
time = $([0-9]|4| "-" [0-9]|2| "-" [0-9]|2| ("T" [0-9]|2| ":" [0-9]|2| ":" [0-9]|2| ("." [0-9]+)?
  ("Z" / [+-] [0-9]|2| ":" [0-9]|2|) !"]")?)
boolean = TRUE { return true } / FALSE { return false }
string = "'" s:("''" { return "'" } / [^'])* "'" { return s.join('') }
  / '"' s:(escape / [^"\\])* '"' { return s.join('') }
  / "\x60" s:(escape / [^\x60\\])* "\x60" { return s.join('') }
escape = "\\" c:. { return { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }[c] ?? c }
number = s:sign? _ d:digits f:factor? { return Number((s ?? '') + d) * (f ?? 1) }
factor = p:[kMGTPmgtp] i:"i"i? { return (i ? 1024 : 1000) ** ('kmgtp'.indexOf(p.toLowerCase()) + 1) }
  / "Ki"i { return 1024 }
sign = [+-]
digits = $([0-9]+ ("." [0-9]*)? ("e"i [+-]? [0-9]+)?)
field = label / spec / name
spec = "spec" path:("." @(quoted / key))+ { return 'spec ' + JSON.stringify(path) }
key = $[A-Za-z0-9_-]+
label = "labels." k:(quoted / bare) { return 'labels.' + k }
quoted = '"' s:('""' { return '"' } / [^"])* '"' { return s.join('') }
bare = k:$[A-Za-z0-9_./-]+ &{ return !k.split('.').includes('') } { return k }
name = !keyword !"spec." @$([A-Za-z_] part* ("." part+)*)
keyword = AND / OR / NOT / IN / LIKE / ILIKE / BETWEEN / IS / NULL / TRUE / FALSE
AND = "and"i !part
OR = "or"i !part
NOT = "not"i !part
IN = "in"i !part
LIKE = "like"i !part
ILIKE = "ilike"i !part
BETWEEN = "between"i !part
IS = "is"i !part
NULL = "null"i !part
TRUE = "true"i !part
FALSE = "false"i !part
part = [A-Za-z0-9_]
_ = [ \t\r\n\v\f]*
`)

/** The tree of a parser, or a mark that there is none. */
function attempt(parser: () => Neutral): { readonly tree: Neutral } | 'rejected' {
  try {
    return { tree: parser() }
  } catch (error) {
    if (error instanceof FlotillaError) return 'rejected'
    if (error instanceof Error && error.name === 'SyntaxError') return 'rejected'
    throw error
  }
}

function ours(text: string): Neutral {
  const expression = parse(text)
  return expression === null ? null : neutral(expression)
}

const FIELDS = [
  'a',
  'labels.x',
  'labels.in',
  'labels."q ""k"',
  'labels.a-b/c',
  'labels.true',
  'x.not',
  'x.false',
  'order',
  'spec.a',
  'spec.A-b.0',
  'spec."q ""k".x.in',
  'spec.true."".false',
]
const VALUES = [
  "'x'",
  "''",
  "'it''s'",
  '1',
  '-1',
  '- 2',
  '+1.5',
  '1.',
  '1e3',
  '2E-1',
  "'\\'",
  'true',
  'False',
  '"x\\""',
  '`x`',
  '2Ki',
  '2026-01-01',
  '2026-01-01T00:00:00Z',
]
const LEAVES: readonly (readonly string[])[] = [
  ['F', '=', 'V'],
  ['F', '<>', 'V'],
  ['F', '>=', 'V'],
  ['V', '<', 'F'],
  ['F', '==', 'F'],
  ['(', 'F', ')', '=', '(', 'V', ')'],
  ['F', 'in', '[', 'V', ',', 'F', ',', ']'],
  ['V', 'not', 'in', '(', 'F', ')'],
  ['F', 'between', 'V', 'and', 'F'],
  ['true'],
  ['F', 'in', '(', 'V', ',', 'V', ')'],
  ['F', 'NOT', 'In', '[', 'V', ']'],
  ['F', 'in', '(', ')'],
  ['F', 'like', "'x%'"],
  ['F', 'like', '(', '"x%"', ')'],
  ['F', 'not', 'ILIKE', "'_'"],
  ['F', 'between', 'V', 'AND', 'V'],
  ['F', 'is', 'null'],
  ['F', 'is', 'not', 'NULL'],
  ['F', 'is', 'not', 'V'],
]
const WRONG = [
  '.',
  '..',
  '"',
  '==',
  '!',
  'labels.',
  'spec.',
  'spec',
  '-',
  'e',
  '_',
  '/',
  '1e',
  '1e+',
  '\f',
]
const ANY = [...FIELDS, ...VALUES, ...LEAVES.flat(), 'and', 'or', ...WRONG]

function leafTokens(): Arbitrary<string[]> {
  const values = fc.infiniteStream(fc.constantFrom(...VALUES))
  return fc
    .tuple(fc.constantFrom(...LEAVES), fc.constantFrom(...FIELDS), values)
    .map(([leaf, field, stream]) =>
      leaf.map((token) => {
        if (token === 'F') return field
        return token === 'V' ? (stream.next().value ?? '1') : token
      }),
    )
}

type Shapes = {
  tokens: string[]
  chain: string[]
  nested: string[]
  not: string[]
  leaf: string[]
}

function searchTokens(): Arbitrary<string[]> {
  return fc.letrec<Shapes>((tie) => ({
    leaf: leafTokens(),
    not: tie('tokens').map((tokens) => ['not', ...tokens]),
    nested: tie('tokens').map((tokens) => ['(', ...tokens, ')']),
    chain: fc
      .tuple(tie('tokens'), fc.constantFrom('and', 'or', 'AND'), tie('tokens'))
      .map(([left, word, right]) => [...left, word, ...right]),
    tokens: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('chain'), tie('nested'), tie('not')),
  })).tokens
}

/** Valid searches with up to two damaged tokens, joined with or without blanks. */
function tokenText(): Arbitrary<string> {
  const change = fc.tuple(fc.nat(40), fc.constantFrom(0, 1), fc.constantFrom(...ANY, ''))
  return fc
    .tuple(
      searchTokens(),
      fc.array(change, { maxLength: 2 }),
      fc.infiniteStream(fc.constantFrom(' ', ' ', '', '\n', '\v')),
    )
    .map(([tokens, changes, glue]) => {
      const spoilt = changes.reduce(
        (list, [place, removed, added]) =>
          list.toSpliced(place % (list.length + 1), removed, added),
        tokens,
      )
      return spoilt.map((token) => token + (glue.next().value ?? ' ')).join('')
    })
}

it('agrees with a generated parser on the accepted searches and their trees', () => {
  const seen = { accepted: 0, rejected: 0 }
  fc.assert(
    fc.property(tokenText(), (text) => {
      const expected = attempt(() => oracle.parse(text))
      seen[expected === 'rejected' ? 'rejected' : 'accepted'] += 1
      expect(attempt(() => ours(text))).toEqual(expected)
    }),
    { numRuns: proofSize(4000) },
  )
  expect(seen.accepted).toBeGreaterThan(proofSize(600))
  expect(seen.rejected).toBeGreaterThan(proofSize(600))
})

it('agrees with a generated parser on random tokens', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...ANY, ' '), { maxLength: 8 }), (tokens) => {
      const text = tokens.join('')
      expect(attempt(() => ours(text))).toEqual(attempt(() => oracle.parse(text)))
    }),
    { numRuns: proofSize(4000) },
  )
})

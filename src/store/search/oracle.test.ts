import fc, { type Arbitrary } from 'fast-check'
import { generate } from 'peggy'
import { expect, it } from 'vitest'
import { proofSize } from '../../../test/support/proof-size.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { neutral, type Neutral } from './fixtures.ts'
import { parse } from './language/parse.ts'

/** The grammar for a parser generator, whose result must equal that of the hand-written parser. */
const oracle = generate(String.raw`
{{ function wrap(not, tree) { return not ? ['not', tree] : tree } }}
start = _ e:or? _ { return e }
or = head:and tail:(_ OR _ @and)* { return tail.reduce((l, r) => ['or', l, r], head) }
and = head:not tail:(_ AND _ @not)* { return tail.reduce((l, r) => ['and', l, r], head) }
not = NOT _ e:not { return ['not', e] } / primary
primary = "(" _ @or _ ")" / comparison
comparison
  = f:field _ o:operator _ v:literal { return [o, f, v] }
  / f:field _ n:NOT? _ IN _ v:list { return wrap(n, ['in', f, v]) }
  / f:field _ n:NOT? _ o:like _ v:string { return wrap(n, [o, f, v]) }
  / f:field _ n:NOT? _ BETWEEN _ l:literal _ AND _ h:literal { return wrap(n, ['between', f, l, h]) }
  / f:field _ IS _ n:NOT? _ NULL { return wrap(n, ['is-null', f]) }
  / f:field _ IS _ n:NOT? _ v:literal { return [n ? '!=' : '=', f, v] }
operator = o:("!=" / "<>" / "<=" / ">=" / "=" / "<" / ">") { return o === '<>' ? '!=' : o }
like = LIKE { return 'like' } / ILIKE { return 'ilike' }
list = "(" _ @items _ ")" / "[" _ @items _ "]"
items = head:literal tail:(_ "," _ @literal)* { return [head, ...tail] } / "" { return [] }
literal = string / number / boolean
boolean = TRUE { return true } / FALSE { return false }
string = "'" s:("''" { return "'" } / [^'])* "'" { return s.join('') }
number = s:sign? _ d:digits { return Number((s ?? '') + d) }
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
_ = [ \t\r\n\v]*
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
]
const LEAVES: readonly (readonly string[])[] = [
  ['F', '=', 'V'],
  ['F', '<>', 'V'],
  ['F', '>=', 'V'],
  ['F', 'in', '(', 'V', ',', 'V', ')'],
  ['F', 'NOT', 'In', '[', 'V', ']'],
  ['F', 'in', '(', ')'],
  ['F', 'like', "'x%'"],
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

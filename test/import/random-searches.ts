import fc, { type Arbitrary } from 'fast-check'
import type { FieldType, SourceField } from './source-fields.ts'

/** A search, and the condition in SQL into which HyperFleet translates it. */
export interface TranslatedSearch {
  readonly search: string
  readonly where: string
}

interface Expression extends TranslatedSearch {
  readonly type: 'leaf' | 'not' | 'and' | 'or'
}

/** How an expression continues after its field, in both languages. */
type Rest = TranslatedSearch

const MAX_LIKES = 8
const COMPARISONS = ['=', '!=', '<', '<=', '>', '>=']
const EQUALITIES = ['=', '!=']

/**
 * Searches over the fields, with their values and values near them. `not` around labels and conditions, which
 * HyperFleet rejects, has the result of SQL.
 */
export function randomSearch(fields: readonly SourceField[]): Arbitrary<TranslatedSearch> {
  const comparable = fields.filter(({ isComparable }) => isComparable)
  const leaf = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...fields).chain(comparisonOf) },
    { weight: 1, arbitrary: fc.constantFrom(...comparable).chain((one) => twoFields(one, fields)) },
  )
  const { tree } = fc.letrec<{ tree: Expression; chain: Expression; not: Expression }>((tie) => ({
    not: tie('tree').map(negated),
    chain: fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
      )
      .map(([type, operands]) => chained(type, operands)),
    tree: fc.oneof({ maxDepth: 3, depthSize: 'small' }, leaf, tie('chain'), tie('not')),
  }))
  return tree.filter(({ search }) => search.split('like').length <= MAX_LIKES)
}

function comparisonOf(field: SourceField): Arbitrary<Expression> {
  return fc
    .oneof(...restsOf(field))
    .map(({ search, where }) => leafOf(`${field.name} ${search}`, `${field.column} ${where}`))
}

function twoFields(field: SourceField, all: readonly SourceField[]): Arbitrary<Expression> {
  const others = all.filter(({ type, isComparable }) => isComparable && type === field.type)
  return fc
    .tuple(fc.constantFrom(...COMPARISONS), fc.constantFrom(...others))
    .map(([operator, other]) =>
      leafOf(
        `${field.name} ${operator} ${other.name}`,
        `${field.column} ${operator} ${other.column}`,
      ),
    )
}

function leafOf(search: string, where: string): Expression {
  return { type: 'leaf', search, where }
}

/** In a search only with the brackets that it needs, in SQL with all of them. */
function negated(operand: Expression): Expression {
  const { type, search, where } = operand
  const inner = type === 'leaf' ? search : `(${search})`
  return { type: 'not', search: `not ${inner}`, where: `not (${where})` }
}

function chained(type: 'and' | 'or', operands: readonly Expression[]): Expression {
  const searches = operands.map((each) =>
    type === 'and' && each.type === 'or' ? `(${each.search})` : each.search,
  )
  return {
    type,
    search: searches.join(` ${type} `),
    where: operands.map(({ where }) => `(${where})`).join(` ${type} `),
  }
}

const OPERATORS: Readonly<Record<FieldType, readonly string[]>> = {
  text: COMPARISONS,
  scalar: EQUALITIES,
  number: COMPARISONS,
  time: COMPARISONS,
  status: EQUALITIES,
  document: [],
}

function restsOf(field: SourceField): readonly Arbitrary<Rest>[] {
  const { type } = field
  const nulls = fc.constantFrom('is null', 'is not null').map(inBoth)
  if (type === 'document') return [nulls]
  const literal = literalOf(field)
  const compared = fc
    .tuple(fc.constantFrom(...OPERATORS[type]), literal)
    .map((parts) => inBoth(parts.join(' ')))
  const listed = fc
    .tuple(
      fc.constantFrom('in', 'not in'),
      fc.array(literal, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('[]', '()'),
    )
    .map(([operator, literals, [open, close]]) => ({
      search: `${operator} ${open}${literals.join(', ')}${close}`,
      where: `${operator} (${literals.join(', ')})`,
    }))
  const between = fc
    .tuple(fc.constantFrom('between', 'not between'), literal, literal)
    .map(([operator, low, high]) => inBoth(`${operator} ${low} and ${high}`))
  const likes = fc
    .tuple(fc.constantFrom('like', 'not like', 'ilike', 'not ilike'), patternOf(field))
    .map((parts) => inBoth(parts.join(' ')))
  return [
    compared,
    compared,
    listed,
    nulls,
    ...(OPERATORS[type] === COMPARISONS ? [between] : []),
    ...(type === 'text' || type === 'scalar' ? [likes] : []),
  ]
}

function inBoth(text: string): Rest {
  return { search: text, where: text }
}

function literalOf({ type, values }: SourceField): Arbitrary<string> {
  const known = fc.constantFrom(...(values.length > 0 ? values : OTHER_VALUES[type]))
  const other = fc.constantFrom(...OTHER_VALUES[type])
  const value = fc.oneof({ weight: 3, arbitrary: known }, { weight: 1, arbitrary: other })
  if (type === 'number') return value
  if (type !== 'text') return value.map(quoted)
  const near = known.map((text) => text.slice(0, -1))
  return fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: near }).map(quoted)
}

const OTHER_VALUES: Readonly<Record<FieldType, readonly string[]>> = {
  text: ['', 'a', 'm', 'Z', 'é'],
  scalar: ['', '0', 'x'],
  number: ['0', '1', '2', '1000'],
  time: ['2026-11-24', '2026-11-24T18:56:57Z', '2026-11-24T20:56:56.9+02:00'],
  status: ['True', 'False', 'Unknown'],
  document: [],
}

/** A pattern that a value matches, in its own or the other case of ASCII letters. */
function patternOf({ values }: SourceField): Arbitrary<string> {
  const value = fc.constantFrom(...(values.length > 0 ? values : ['a']))
  return fc
    .tuple(value, fc.nat(40), fc.nat(40), fc.constantFrom('start', 'end', 'middle', 'one', 'upper'))
    .map(([text, first, second, form]) => {
      const from = first % (text.length + 1)
      const to = second % (text.length + 1)
      if (form === 'start') return `${text.slice(0, from)}%`
      if (form === 'end') return `%${text.slice(from)}`
      if (form === 'middle') return `%${text.slice(from, to)}%`
      if (form === 'one') return `${text.slice(0, from)}_${text.slice(from + 1)}`
      return `${text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()).slice(0, from)}%`
    })
    .map(quoted)
}

/** The values have no quotes. */
function quoted(text: string): string {
  return `'${text}'`
}

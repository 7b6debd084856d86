import type { ASTNode } from '@marcbachmann/cel-js'
import { nodesOf } from '../../lib/cel/metered.ts'
import { balancedRange, parenthesesIn } from './parentheses.ts'

/** The functions that charge the budget. Authors cannot call names that begin with this prefix. */
export const RESERVED_PREFIX = '__cel_'
export const SPEND_LOOP = `${RESERVED_PREFIX}loop`
export const SPEND_TRAVERSAL = `${RESERVED_PREFIX}traversal`
export const SPEND_SEARCH = `${RESERVED_PREFIX}search`
export const HAS_FIELD = `${RESERVED_PREFIX}has`

/** Methods of the engine that are replaced, with the names of their replacements. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  // The engine's regular expressions can take exponential time.
  ['matches', `${RESERVED_PREFIX}matches`],
])

/** Methods that the engine knows by another name. */
const ALIASES: ReadonlyMap<string, string> = new Map([['existsOne', 'exists_one']])

const LOOPS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

/** Methods that look at all parts of their receiver. */
const TRAVERSALS: ReadonlySet<string> = new Set([
  'contains',
  'endsWith',
  'format',
  'indexOf',
  'isSorted',
  'join',
  'lastIndexOf',
  'lowerAscii',
  'max',
  'min',
  'quote',
  'replace',
  'reverse',
  'size',
  'split',
  'startsWith',
  'substring',
  'sum',
  'trim',
  'upperAscii',
])

/** Functions that read all of their arguments. */
const READERS: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'cidr',
  'double',
  'duration',
  'int',
  'ip',
  'isCIDR',
  'isIP',
  'isQuantity',
  'isSemver',
  'isURL',
  'quantity',
  'semver',
  'size',
  'string',
  'timestamp',
  'uint',
  'url',
])

/** Parsing takes more time than a loop over characters. */
const READER_WEIGHT = 10

/** Text around a range of the expression. */
interface Wrap {
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
}

/**
 * Adds a charge before each operation whose time depends on data, because the engine has no limit on
 * steps: `self.all(x, x > 0)` becomes `<loop>(self, 3).all(x, x > 0)`. Also replaces methods that
 * are unsafe.
 */
export function rewriteExpression(text: string, ast: ASTNode): string {
  const nodes = nodesOf(ast)
  const parentheses = parenthesesIn(text)
  const wraps = nodes
    .flatMap(wrapsOf)
    .map((wrap) => ({ ...wrap, ...balancedRange(wrap, parentheses) }))
  const events = [
    ...wraps.map(({ start, end, before }) => ({ at: start, order: 1, tie: -end, before, skip: 0 })),
    ...wraps.map(({ start, end, after }) => ({
      at: end,
      order: 0,
      tie: -start,
      before: after,
      skip: 0,
    })),
    ...nodes.flatMap((node) => renamings(text, node, REPLACED)),
  ]
  return withInsertions(text, events)
}

/**
 * Replaces what the engine does not know: other names of methods, `has` of fields of computed values
 * such as `has(self[0].name)`, and operators whose second operand is the value of an optional.
 */
export function withoutAliases(text: string, ast: ASTNode): string {
  const parentheses = parenthesesIn(text)
  return withInsertions(
    text,
    nodesOf(ast).flatMap((node) => [
      ...renamings(text, node, ALIASES),
      ...replacedPresenceTest(text, node),
      ...dynamicValue(node, parentheses),
    ]),
  )
}

/** `oldSelf.value()` becomes `dyn(oldSelf.value())`; the engine finds no operator for its type. */
function dynamicValue(
  node: ASTNode,
  parentheses: ReturnType<typeof parenthesesIn>,
): readonly Insertion[] {
  if (node.op !== 'rcall' || node.args[0] !== 'value' || node.args[2].length > 0) return []
  const { start, end } = balancedRange(node, parentheses)
  return [
    { at: start, order: 1, tie: -end, before: 'dyn(', skip: 0 },
    { at: end, order: 0, tie: -start, before: ')', skip: 0 },
  ]
}

/** `has(self[0].name)` becomes `<has>(self[0], "name")`. */
function replacedPresenceTest(text: string, node: ASTNode): readonly Insertion[] {
  if (node.op !== 'call' || node.args[0] !== 'has') return []
  const [argument] = node.args[1]
  if (argument?.op !== '.' || isPath(argument)) return []
  const [target, name] = argument.args
  const suffix = text.slice(target.end, argument.end)
  if (!/^\s*\./.test(suffix)) return []
  const field = `, ${JSON.stringify(name)}`
  return [
    { at: node.start, order: 2, tie: 0, before: HAS_FIELD, skip: 'has'.length },
    { at: target.end, order: 2, tie: 0, before: field, skip: suffix.length },
  ]
}

/** Whether the node is a variable or a field of one, as the engine's `has` requires. */
function isPath(node: ASTNode): boolean {
  if (node.op === 'id') return true
  return (node.op === '.' || node.op === '.?') && isPath(node.args[0])
}

/** Text to insert, and the length of the text that it replaces. */
interface Insertion {
  readonly at: number
  readonly order: number
  readonly tie: number
  readonly before: string
  readonly skip: number
}

function withInsertions(text: string, insertions: readonly Insertion[]): string {
  const events = insertions.toSorted(
    (one, other) => one.at - other.at || one.order - other.order || one.tie - other.tie,
  )
  let result = ''
  let from = 0
  for (const { at, before, skip } of events) {
    result += text.slice(from, at) + before
    from = at + skip
  }
  return result + text.slice(from)
}

function wrapsOf(node: ASTNode): readonly Wrap[] {
  switch (node.op) {
    case 'rcall': {
      const [name, receiver, args] = node.args
      if (LOOPS.has(name)) return [loop(receiver, args.flatMap(nodesOf).length)]
      return TRAVERSALS.has(name) ? [traversal(receiver)] : []
    }
    case 'call':
      return READERS.has(node.args[0])
        ? node.args[1].map((argument) => loop(argument, READER_WEIGHT))
        : []
    case '==':
    case '!=':
      // A comparison with a literal looks at one value only.
      return node.args.some(isLiteral) ? [] : [traversal(node.args[0])]
    case 'in':
      return [search(node.args[1])]
    case '+':
      return node.args.some(isLiteral) ? [] : node.args.map((operand) => loop(operand, 1))
    default:
      return []
  }
}

function renamings(
  text: string,
  node: ASTNode,
  names: ReadonlyMap<string, string>,
): readonly Insertion[] {
  if (node.op !== 'rcall') return []
  const [name, receiver] = node.args
  const replacement = names.get(name)
  if (replacement === undefined) return []
  const at = text.indexOf(name, receiver.end)
  return [{ at, order: 2, tie: 0, before: replacement, skip: name.length }]
}

function isLiteral(node: ASTNode): boolean {
  return node.op === 'value'
}

function loop({ start, end }: ASTNode, weight: number): Wrap {
  return { start, end, before: `${SPEND_LOOP}(`, after: `, ${Math.max(1, weight)})` }
}

function search({ start, end }: ASTNode): Wrap {
  return { start, end, before: `${SPEND_SEARCH}(`, after: ')' }
}

function traversal({ start, end }: ASTNode): Wrap {
  return { start, end, before: `${SPEND_TRAVERSAL}(`, after: ')' }
}

import type { ASTNode } from '@marcbachmann/cel-js'
import { SPEND } from './language.ts'

/** Functions and macros that traverse their receiver. */
const TRAVERSALS: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'exists_one',
  'filter',
  'map',
  'contains',
  'endsWith',
  'indexOf',
  'join',
  'lastIndexOf',
  'lowerAscii',
  'replace',
  'split',
  'startsWith',
  'substring',
  'trim',
  'upperAscii',
])

interface Insertion {
  readonly offset: number
  readonly text: string
}

/**
 * Adds a charge before each traversal, because the engine has no step limit: `statuses.exists(...)`
 * becomes `<SPEND>(statuses).exists(...)`. The charge fails before the traversal begins, so that
 * operators that swallow errors, such as `||` and `exists`, cannot continue an expensive one.
 */
export function metered(text: string, ast: ASTNode): string {
  const insertions = nodesOf(ast)
    .flatMap(traversedBy)
    .flatMap(({ start, end }): Insertion[] => [
      { offset: start, text: `${SPEND}(` },
      { offset: end, text: ')' },
    ])
  return insertions
    .toSorted((one, other) => other.offset - one.offset)
    .reduce((result, { offset, text: inserted }) => {
      return result.slice(0, offset) + inserted + result.slice(offset)
    }, text)
}

/** The operand that a node traverses, if any. */
function traversedBy(node: ASTNode): readonly ASTNode[] {
  if (node.op === 'rcall' && TRAVERSALS.has(node.args[0])) return [node.args[1]]
  return node.op === 'in' ? [node.args[1]] : []
}

/** The node and its descendants. */
export function nodesOf(node: ASTNode): readonly ASTNode[] {
  return [node, ...childrenOf(node).flatMap(nodesOf)]
}

function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return []
    case '.':
    case '.?':
      return [node.args[0]]
    case '!_':
    case '-_':
      return [node.args]
    case 'call':
      return node.args[1]
    case 'rcall':
      return [node.args[1], ...node.args[2]]
    case 'map':
      return node.args.flat()
    default:
      return node.args
  }
}

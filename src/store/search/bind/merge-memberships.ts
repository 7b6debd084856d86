import type {
  ConditionIn,
  IntIn,
  IntOperand,
  Junction,
  Predicate,
  SpecIn,
  TextIn,
  TextOperand,
} from './predicate.ts'

type Membership = TextIn | IntIn | SpecIn | ConditionIn

/**
 * Merges memberships of one field, at the position of the first: under OR the plain ones, under AND
 * the negated ones. The merged list is the union of the lists.
 */
export function mergeMemberships(
  operands: readonly Predicate[],
  under: Junction['type'],
): readonly Predicate[] {
  const merged = new Map<string, Predicate>()
  operands.forEach((operand, index) => {
    const key = isMergeable(operand, under) ? keyOf(operand) : `${index}`
    const earlier = merged.get(key)
    merged.set(key, earlier === undefined ? operand : unite(earlier, operand))
  })
  return [...merged.values()]
}

function isMergeable(operand: Predicate, under: Junction['type']): operand is Membership {
  switch (operand.type) {
    case 'text-in':
    case 'int-in':
    case 'spec-in':
      return operand.negated === (under === 'and')
    case 'condition-in':
      return under === 'or'
    default:
      return false
  }
}

function keyOf(operand: Membership): string {
  switch (operand.type) {
    case 'text-in':
    case 'int-in':
      return nameOf(operand.operand)
    case 'spec-in':
      return `spec ${JSON.stringify(operand.path)}`
    case 'condition-in':
      return `condition ${operand.condition}`
  }
}

function nameOf(operand: TextOperand | IntOperand): string {
  switch (operand.source) {
    case 'column':
      return `column ${operand.column}`
    case 'label':
      return `label ${operand.key}`
    case 'reason':
      return `reason of ${operand.condition}`
    case 'condition':
      return `generation of ${operand.condition}`
    case 'prefixed':
      return `prefixed ${operand.column}`
    case 'constant':
      return `constant ${operand.value}`
  }
}

function unite(earlier: Predicate, later: Predicate): Predicate {
  if (earlier.type === 'text-in' && later.type === 'text-in') {
    return { ...earlier, values: union(earlier.values, later.values) }
  }
  if (earlier.type === 'int-in' && later.type === 'int-in') {
    return { ...earlier, values: union(earlier.values, later.values) }
  }
  if (earlier.type === 'spec-in' && later.type === 'spec-in') {
    return { ...earlier, values: union(earlier.values, later.values) }
  }
  if (earlier.type === 'condition-in' && later.type === 'condition-in') {
    return { ...earlier, statuses: union(earlier.statuses, later.statuses) }
  }
  throw new Error(`cannot unite ${earlier.type} and ${later.type}`)
}

function union<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  return [...new Set([...first, ...second])]
}

import { mergeLabels } from './merge-labels.ts'
import { mergeMemberships } from './merge-memberships.ts'
import { FALSE, TRUE, type Junction, type Predicate } from './predicate.ts'

/** The conjunction of predicates, flat and simplified. Label equalities become one object. */
export function allOf(operands: readonly Predicate[]): Predicate {
  const conjuncts = flatten('and', operands).filter((operand) => operand.type !== 'true')
  if (conjuncts.some((operand) => operand.type === 'false')) return FALSE
  const merged = mergeLabels(mergeMemberships(conjuncts, 'and'))
  return merged === null ? FALSE : junction('and', merged, TRUE)
}

/** The disjunction of predicates, flat and simplified. Equalities of one field become one list. */
export function anyOf(operands: readonly Predicate[]): Predicate {
  const disjuncts = flatten('or', operands).filter((operand) => operand.type !== 'false')
  if (disjuncts.some((operand) => operand.type === 'true')) return TRUE
  return junction('or', mergeMemberships(disjuncts, 'or'), FALSE)
}

function flatten(type: Junction['type'], operands: readonly Predicate[]): readonly Predicate[] {
  return operands.flatMap((operand) => (operand.type === type ? operand.operands : [operand]))
}

function junction(
  type: Junction['type'],
  operands: readonly Predicate[],
  neutral: Predicate,
): Predicate {
  const [only, second] = operands
  if (only === undefined) return neutral
  return second === undefined ? only : { type, operands }
}

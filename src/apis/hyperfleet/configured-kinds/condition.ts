import type { ConditionRule } from '../../../core/registry/condition-rule.ts'
import { membersOf, type Place, textOf } from './place.ts'

/**
 * Reads a rule in HyperFleet's form. A member that is missing or has the wrong type has been
 * reported; the empty text that replaces it is refused at the same place.
 */
export function readCondition(place: Place): ConditionRule {
  const member = membersOf(place, ['type', 'when', 'output'], ['type', 'when', 'output'])
  const outputs = ['status', 'reason', 'message'] as const
  const output = membersOf(member('output'), outputs, outputs)
  return {
    type: textOf(member('type')) ?? '',
    when: expressionOf(member('when')),
    status: expressionOf(output('status')),
    reason: expressionOf(output('reason')),
    message: expressionOf(output('message')),
  }
}

function expressionOf(place: Place | undefined): string {
  return textOf(membersOf(place, ['expression'], ['expression'])('expression')) ?? ''
}

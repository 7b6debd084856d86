import type { ConditionRule } from '../../store/registry/condition-rule.ts'
import { membersOf, type FileValue, textOf } from './file-value.ts'

/**
 * Reads a rule in HyperFleet's format. A field that is missing or has the wrong type is reported and
 * replaced by an empty text, which later checks reject at the same path.
 */
export function readCondition(source: FileValue): ConditionRule {
  const member = membersOf(source, ['type', 'when', 'output'], ['type', 'when', 'output'])
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

function expressionOf(source: FileValue | undefined): string {
  return textOf(membersOf(source, ['expression'], ['expression'])('expression')) ?? ''
}

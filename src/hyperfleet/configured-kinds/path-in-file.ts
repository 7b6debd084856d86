import type { FieldPath } from '../../lib/json/field-path.ts'

/** Fields of `Kind` with a different name in the file. */
const SPELLINGS: ReadonlyMap<string | number, string> = new Map([
  ['requiredAdapters', 'required_adapters'],
  ['minLength', 'min_length'],
  ['maxLength', 'max_length'],
])

/** The file's paths for the parts of a rule in `conditions`. */
const RULE_MEMBERS: ReadonlyMap<string | number | undefined, FieldPath> = new Map([
  ['type', ['type']],
  ['when', ['when', 'expression']],
  ['status', ['output', 'status', 'expression']],
  ['reason', ['output', 'reason', 'expression']],
  ['message', ['output', 'message', 'expression']],
])

/** The path within an entity of a field of `Kind`. */
export function pathInFile(member: FieldPath): FieldPath {
  if (member[0] === 'parent') return [member[1] === 'onDelete' ? 'on_parent_delete' : 'parent_kind']
  const [first, index, ruleMember] = member
  if (first === 'conditions' && index !== undefined) {
    return [first, index, ...(RULE_MEMBERS.get(ruleMember) ?? [])]
  }
  return member.map((step) => SPELLINGS.get(step) ?? step)
}

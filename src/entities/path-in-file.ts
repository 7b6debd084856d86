import type { MemberPath } from '../lib/member-path.ts'

/** Members of `Kind` that the file spells in another way. */
const SPELLINGS: ReadonlyMap<string | number, string> = new Map([
  ['requiredAdapters', 'required_adapters'],
  ['minLength', 'min_length'],
  ['maxLength', 'max_length'],
])

/** Where in an entity the file has a member of `Kind`. */
export function pathInFile(member: MemberPath): MemberPath {
  if (member[0] === 'parent') return [member[1] === 'onDelete' ? 'on_parent_delete' : 'parent_kind']
  return member.map((step) => SPELLINGS.get(step) ?? step)
}

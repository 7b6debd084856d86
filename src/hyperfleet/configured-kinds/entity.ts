import type { ConditionRule } from '../../store/registry/condition-rule.ts'
import type { DeleteRule, ReferenceRule } from '../../store/registry/kind.ts'
import { readCondition } from './condition.ts'
import { integerOf, itemsOf, membersOf, type FileValue, textOf, wordOf } from './file-value.ts'

/** An entity of the file. Fields that are absent from the file, or unusable, are undefined. */
export interface Entity {
  readonly source: FileValue
  readonly kind: string | undefined
  readonly plural: string | undefined
  readonly singular: string | undefined
  readonly parentKind: string | undefined
  readonly onParentDelete: DeleteRule | undefined
  readonly requiredAdapters: readonly string[] | undefined
  readonly minNameLength: number | undefined
  readonly maxNameLength: number | undefined
  readonly availableMessage: string | undefined
  readonly readyMessage: string | undefined
  readonly references: readonly ReferenceRule[] | undefined
  readonly conditions: readonly ConditionRule[] | undefined
  readonly specSchema: FileValue | undefined
}

const MEMBERS = [
  'kind',
  'plural',
  'singular',
  'parent_kind',
  'on_parent_delete',
  'required_adapters',
  'name',
  'spec_schema',
  'messages',
  'references',
  'conditions',
] as const

/** Reads one entity of the list. */
export function readEntity(source: FileValue): Entity {
  const member = membersOf(source, MEMBERS, ['kind'])
  const name = membersOf(member('name'), ['min_length', 'max_length'])
  const messages = membersOf(member('messages'), ['available', 'ready'])
  return {
    source,
    kind: textOf(member('kind')),
    plural: textOf(member('plural')),
    singular: textOf(member('singular')),
    parentKind: textOf(member('parent_kind')),
    onParentDelete: wordOf(member('on_parent_delete'), ['cascade', 'restrict']),
    requiredAdapters: itemsOf(member('required_adapters'))?.map((item) => textOf(item) ?? ''),
    minNameLength: integerOf(name('min_length')),
    maxNameLength: integerOf(name('max_length')),
    availableMessage: textOf(messages('available')),
    readyMessage: textOf(messages('ready')),
    references: itemsOf(member('references'))?.map(readReference),
    conditions: itemsOf(member('conditions'))?.map(readCondition),
    specSchema: member('spec_schema'),
  }
}

/** Unusable fields are reported and replaced by values that later checks reject at the same path. */
function readReference(source: FileValue): ReferenceRule {
  const member = membersOf(source, ['type', 'kind', 'min', 'max'], ['type', 'kind'])
  return {
    type: textOf(member('type')) ?? '',
    kind: textOf(member('kind')) ?? '',
    min: integerOf(member('min')) ?? 0,
    max: integerOf(member('max')) ?? null,
  }
}

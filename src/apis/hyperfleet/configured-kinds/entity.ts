import type { ConditionRule } from '../../../core/registry/condition-rule.ts'
import type { DeleteRule, ReferenceRule } from '../../../core/registry/kind.ts'
import { readCondition } from './condition.ts'
import { integerOf, itemsOf, membersOf, type Place, textOf, wordOf } from './place.ts'

/** An entity as the file has it; what it does not say, or not in a form that can be used, is absent. */
export interface Entity {
  readonly place: Place
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
  readonly specSchema: Place | undefined
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
export function readEntity(place: Place): Entity {
  const member = membersOf(place, MEMBERS, ['kind'])
  const name = membersOf(member('name'), ['min_length', 'max_length'])
  const messages = membersOf(member('messages'), ['available', 'ready'])
  return {
    place,
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

/** What has been reported as unusable stands as a value that is refused at the same place. */
function readReference(place: Place): ReferenceRule {
  const member = membersOf(place, ['type', 'kind', 'min', 'max'], ['type', 'kind'])
  return {
    type: textOf(member('type')) ?? '',
    kind: textOf(member('kind')) ?? '',
    min: integerOf(member('min')) ?? 0,
    max: integerOf(member('max')) ?? null,
  }
}

import type { JsonObject } from '../../lib/json/json.ts'
import {
  LIST_PARAMETERS,
  type ListedKind,
  type ListParameter,
  type ListSubject,
} from '../query/list-parameters.ts'

const SUBJECTS: readonly ListSubject[] = ['kind', 'all-kinds', 'statuses']

/** The parameters of one list: references to components, and those that depend on its kinds. */
export function listParametersOf(
  subject: ListSubject,
  kinds: readonly ListedKind[],
): readonly JsonObject[] {
  return LIST_PARAMETERS.flatMap((row): JsonObject[] => {
    const described = row.describe(subject, kinds)
    if (described === null) return []
    if (!('component' in described)) return [{ name: row.name, in: 'query', ...described }]
    return [{ $ref: `#/components/parameters/${described.component}` }]
  })
}

/** The entries of `components.parameters`. */
export function listParameterComponents(): JsonObject {
  return Object.fromEntries(LIST_PARAMETERS.flatMap(componentsOf))
}

function componentsOf({ name, describe }: ListParameter): [string, JsonObject][] {
  return SUBJECTS.flatMap((subject): [string, JsonObject][] => {
    const described = describe(subject, [])
    if (described === null || !('component' in described)) return []
    const { component, ...parameter } = described
    return [[component, { name, in: 'query', ...parameter }]]
  })
}

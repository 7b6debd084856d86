import { objectOf, objectsOf, textMapOf, textOf } from '../lib/json/json-fields.ts'
import { conditionType } from '../hyperfleet/statuses/conditions/condition-type.ts'
import { AGGREGATED_TYPES } from '../store/model/condition.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import type { Finding } from './finding.ts'
import { conditionStatus } from './imported-conditions.ts'
import { sourceReferences } from './imported-resource.ts'
import type { SourceResource } from './source.ts'

type Note = Pick<Finding, 'effect' | 'text'>

/** The parts that an imported resource loses, and the differences that follow later. */
export function notesOf(
  kind: RegisteredKind,
  source: SourceResource,
  dimensions: readonly string[],
): readonly Note[] {
  return [
    ...nameNotes(kind, textOf(source['name'])),
    ...referenceNotes(kind, source),
    ...statusNotes(kind, source),
    ...tenancyNotes(Object.keys(textMapOf(source['tenancy'])), dimensions),
  ]
}

function nameNotes({ name: { minLength, maxLength } }: RegisteredKind, name: string): Note[] {
  const isValid =
    name.length >= minLength &&
    name.length <= maxLength &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)
  if (isValid) return []
  return [kept(`its name '${name}' is not valid in a new resource`)]
}

function referenceNotes({ references }: RegisteredKind, source: SourceResource): Note[] {
  const declared = new Set(references.map(({ type }) => type))
  return Object.keys(sourceReferences(source))
    .filter((type) => !declared.has(type))
    .map((type) => changed(`its references of type '${type}' are left out: the kind has none`))
}

function statusNotes(kind: RegisteredKind, source: SourceResource): Note[] {
  const conditions = objectsOf(objectOf(source['status'])['conditions'])
  const reports = objectsOf(source['statuses'])
  if (kind.statusHooks === undefined) {
    const isEmpty = conditions.length === 0 && reports.length === 0
    return isEmpty ? [] : [changed('its conditions and reports are left out: the kind has none')]
  }
  const computed = new Set<string>([
    ...AGGREGATED_TYPES,
    ...reports.map(({ adapter }) => conditionType(textOf(adapter))),
    ...(kind.mapping ?? []).map(({ type }) => type),
  ])
  return conditions.flatMap((condition) => {
    const type = textOf(condition['type'])
    if (conditionStatus(condition) === null) {
      return [
        changed(`its condition ${type} is left out: its status is none of True, False, Unknown`),
      ]
    }
    if (conditionStatus(condition) === 'Unknown') {
      return [
        kept(
          `its condition ${type} has the status Unknown, which resources here do not have, until the next report`,
        ),
      ]
    }
    if (computed.has(type)) return []
    return [kept(`its condition ${type} goes with the next report: no adapter or rule makes it`)]
  })
}

function tenancyNotes(found: readonly string[], dimensions: readonly string[]): Note[] {
  const isSame =
    found.length === dimensions.length && found.every((each) => dimensions.includes(each))
  if (isSame) return []
  const has = found.length === 0 ? 'no tenancy' : `the tenancy ${found.join(', ')}`
  const expected = dimensions.length === 0 ? 'none' : dimensions.join(', ')
  return [
    kept(`it has ${has}, and TENANT_HEADERS has ${expected}: callers of a tenant do not see it`),
  ]
}

function kept(text: string): Note {
  return { effect: 'kept', text }
}

function changed(text: string): Note {
  return { effect: 'changed', text }
}

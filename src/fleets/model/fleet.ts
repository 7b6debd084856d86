import type { JsonObject } from '../../lib/json/json.ts'
import { contentOf, type MemberContent } from './member-content.ts'
import { defaultPrefix, indexOfMember } from './member-name.ts'
import { listOf, numberOf, objectOf, textOf } from '../../lib/json/json-fields.ts'

/**
 * The annotation of Fleets whose members require no adapters with `readiness: Plane`, unless the
 * spec names some. Fleets that were created by older servers lack it.
 */
export const ADAPTERS_OPTIONAL = 'kplane.dev/adapters-optional'

/** How the members of a fleet are named. */
export type FleetNaming =
  | { readonly type: 'prefix'; readonly prefix: string }
  | { readonly type: 'names'; readonly names: readonly string[] }

/** The parts of a stored Fleet that decide about its members. */
export interface Fleet {
  readonly name: string
  readonly uid: string
  readonly generation: number
  /** RFC 3339. */
  readonly createdTime: string
  readonly isDeleting: boolean
  readonly replicas: number
  readonly naming: FleetNaming
  readonly minReady: number
  readonly scaleDownPolicy: 'Delete' | 'Orphan'
  /** Whether members are ready only with the condition Ready. */
  readonly requiresReady: boolean
  /** The adapters that members and their node pools require; null for those of their kinds. */
  readonly requiredAdapters: readonly string[] | null
  /** The name of the Scenario with the content of members; null if the template has it. */
  readonly scenario: string | null
  readonly content: MemberContent
}

/** Reads a stored Fleet, which was validated when it was written. */
export function fleetOf(body: JsonObject): Fleet {
  const metadata = objectOf(body['metadata'])
  const spec = objectOf(body['spec'])
  const template = objectOf(spec['template'])
  const scenario = objectOf(template['scenarioRef'])['name']
  const name = textOf(metadata['name'])
  return {
    name,
    uid: textOf(metadata['uid']),
    generation: numberOf(metadata['generation']),
    createdTime: textOf(metadata['creationTimestamp']),
    isDeleting: metadata['deletionTimestamp'] !== undefined,
    replicas: numberOf(spec['replicas']),
    naming: namingOf(name, spec),
    minReady: numberOf(spec['minReady']),
    scaleDownPolicy: spec['scaleDownPolicy'] === 'Delete' ? 'Delete' : 'Orphan',
    requiresReady: spec['readiness'] === 'Conditions',
    requiredAdapters: requiredAdaptersOf(spec, objectOf(metadata['annotations'])),
    scenario: typeof scenario === 'string' && scenario !== '' ? scenario : null,
    content: contentOf(template),
  }
}

/** The index of a name; null if the fleet does not name members so. */
export function indexInFleet({ naming }: Pick<Fleet, 'naming'>, name: string): number | null {
  if (naming.type === 'prefix') return indexOfMember(naming.prefix, name)
  const index = naming.names.indexOf(name)
  return index === -1 ? null : index
}

function requiredAdaptersOf(
  { requiredAdapters, readiness }: JsonObject,
  annotations: JsonObject,
): readonly string[] | null {
  if (Array.isArray(requiredAdapters)) return requiredAdapters.map(textOf)
  const isOptional = annotations[ADAPTERS_OPTIONAL] !== undefined
  return readiness !== 'Conditions' && isOptional ? [] : null
}

function namingOf(fleet: string, { names, namePrefix }: JsonObject): FleetNaming {
  const listed = listOf(names).map(textOf)
  if (listed.length > 0) return { type: 'names', names: listed }
  const prefix = textOf(namePrefix)
  return { type: 'prefix', prefix: prefix === '' ? defaultPrefix(fleet) : prefix }
}

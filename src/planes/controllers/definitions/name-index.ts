import type { ApiObject } from '../../model/api-object.ts'
import type { FleetChange, FleetClient } from '../client/fleet-client.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { acceptedNames, isTrue } from '../../definitions/acceptance/definition-state.ts'
import { DEFINITIONS } from './finish-definition.ts'
import { objectOf } from '../../../lib/json/json-fields.ts'

/** The most planes whose names stay in memory. */
const MAX_PLANES = 1000

/** The part of a definition that conflicts depend on, in the form of the object. */
interface NamedDefinition {
  readonly summary: ApiObject
  /** Whether the definition waits for a name that another one uses. */
  readonly isWaiting: boolean
}

/** The names in the definitions of planes, so that one decision does not read all of them. */
export interface NameIndex {
  /** Group and accepted names of the definitions in a plane except one. */
  others(plane: string, name: string): Promise<readonly ApiObject[]>
  /** The definitions in a plane that wait for a name. */
  waiting(plane: string): readonly string[]
  /** Records a change of the feed. */
  observe(change: FleetChange): void
  /** Records the result of a write. */
  record(plane: string, definition: ApiObject): void
  /** Forgets the definitions of a plane. */
  forget(plane: string): void
  /** Forgets everything, after changes were lost. */
  clear(): void
}

/** The definitions of a plane. */
interface PlaneNames {
  readonly definitions: Map<string, NamedDefinition>
  /** Names of definitions that were removed while the plane was read. */
  readonly removed: Set<string>
  readonly loaded: Promise<void>
}

/** Creates an index that reads the definitions of a plane once and then follows changes. */
export function createNameIndex(fleet: FleetClient): NameIndex {
  let planes = new BoundedMap<PlaneNames>(MAX_PLANES)

  function namesOf(plane: string): PlaneNames {
    const known = planes.get(plane)
    if (known) return known
    const definitions = new Map<string, NamedDefinition>()
    const removed = new Set<string>()
    const loaded = load(fleet, plane, { definitions, removed }).catch((error: unknown) => {
      planes.delete(plane)
      throw error
    })
    const names = { definitions, removed, loaded }
    planes.set(plane, names)
    return names
  }

  return {
    others: async (plane, name) => {
      const names = namesOf(plane)
      await names.loaded
      return [...names.definitions]
        .filter(([other]) => other !== name)
        .map(([, { summary }]) => summary)
    },
    waiting: (plane) =>
      [...(planes.get(plane)?.definitions ?? [])]
        .filter(([, { isWaiting }]) => isWaiting)
        .map(([name]) => name),
    observe: ({ plane, name, type, object }) => {
      const names = planes.get(plane)
      if (!names) return
      if (type === 'DELETED') {
        names.definitions.delete(name)
        names.removed.add(name)
      } else set(names.definitions, object())
    },
    record: (plane, definition) => {
      const names = planes.get(plane)
      if (names) set(names.definitions, definition)
    },
    forget: (plane) => planes.delete(plane),
    clear: () => {
      planes = new BoundedMap(MAX_PLANES)
    },
  }
}

async function load(
  fleet: FleetClient,
  plane: string,
  { definitions, removed }: Pick<PlaneNames, 'definitions' | 'removed'>,
): Promise<void> {
  for await (const page of fleet.plane(plane).pages(DEFINITIONS)) {
    for (const definition of page.items) {
      const { name = '' } = definition.metadata
      if (!removed.has(name) && !definitions.has(name)) set(definitions, definition)
    }
  }
}

/** Changes can arrive late: accepted names are never replaced by none. */
function set(definitions: Map<string, NamedDefinition>, definition: ApiObject): void {
  const { name = '' } = definition.metadata
  const known = definitions.get(name)
  const isOlder = known && acceptedNames(definition).plural === ''
  if (isOlder && acceptedNames(known.summary).plural !== '') return
  definitions.set(name, {
    summary: summaryOf(definition),
    isWaiting: !isTrue(definition, 'NamesAccepted'),
  })
}

function summaryOf({ apiVersion, kind, metadata, ...definition }: ApiObject): ApiObject {
  const { group = '' } = objectOf(definition['spec'])
  const { acceptedNames: names = {} } = objectOf(definition['status'])
  const { name = '' } = metadata
  return { apiVersion, kind, metadata: { name }, spec: { group }, status: { acceptedNames: names } }
}

import { CLASS_SEATS } from '../../http/fairness/request-class.ts'
import { MAX_WAITING } from '../../http/fairness/seats.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { UNAUTHENTICATED, AUTHENTICATED, MASTERS } from '../access/system-groups.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { PlaneIdentity } from '../model/native-resource.ts'
import type { ResourceType } from '../model/resource-type.ts'
import { initialObject } from '../native/initial-object.ts'
import { ROOT_PLANE } from '../planes/root-plane.ts'

/** The flow schema and the level of requests without limits. */
export const EXEMPT = 'exempt'
/** The flow schema of the requests that no other one matches. */
export const CATCH_ALL = 'catch-all'

const HAND_SIZE = 8
const CATCH_ALL_SHARES = 5

/** The shares of all levels that a server has without configuration. */
export const DEFAULT_SHARES =
  Object.values(CLASS_SEATS).reduce((sum, seats) => sum + seats, 0) + CATCH_ALL_SHARES

function everyRequestOf(...groups: readonly string[]): JsonObject {
  return {
    subjects: groups.map((name) => ({ kind: 'Group', group: { name } })),
    resourceRules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
    ],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  }
}

/** The flow schemas that cannot be changed or deleted, by their names. */
export const MANDATORY_SCHEMAS: ReadonlyMap<string, JsonObject> = new Map([
  [
    EXEMPT,
    {
      priorityLevelConfiguration: { name: EXEMPT },
      matchingPrecedence: 1,
      rules: [everyRequestOf(MASTERS)],
    },
  ],
  [
    CATCH_ALL,
    {
      priorityLevelConfiguration: { name: CATCH_ALL },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [everyRequestOf(UNAUTHENTICATED, AUTHENTICATED)],
    },
  ],
])

/** The levels whose specs cannot be changed, by their names. */
export const MANDATORY_LEVELS: ReadonlyMap<string, JsonObject> = new Map([
  [EXEMPT, { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }],
  [
    CATCH_ALL,
    {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: CATCH_ALL_SHARES,
        lendablePercent: 0,
        limitResponse: { type: 'Reject' },
      },
    },
  ],
])

/** The levels that a server has without configuration: those above, and one per class of callers. */
export const DEFAULT_LEVELS: ReadonlyMap<string, JsonObject> = new Map([
  ...MANDATORY_LEVELS,
  ...Object.entries(CLASS_SEATS).map(([name, seats]) => [name, levelOf(seats)] as const),
])

function levelOf(nominalConcurrencyShares: number): JsonObject {
  const queueLengthLimit = MAX_WAITING / HAND_SIZE
  return {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares,
      lendablePercent: 0,
      limitResponse: {
        type: 'Queue',
        queuing: { queues: 64, handSize: HAND_SIZE, queueLengthLimit },
      },
    },
  }
}

/** The objects with these specs, in the root plane only. */
export function defaultObjects(type: ResourceType, specs: ReadonlyMap<string, JsonObject>) {
  return (plane: PlaneIdentity): readonly ApiObject[] => {
    if (plane.plane !== ROOT_PLANE) return []
    return [...specs].map(([name, spec]) => {
      const object = initialObject(plane, type, { name, fields: { spec } })
      return { ...object, metadata: { ...object.metadata, generation: 1 } }
    })
  }
}

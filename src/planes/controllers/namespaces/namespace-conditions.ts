import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { RemainingContent } from './remaining-content.ts'

/** The result of an attempt to empty a namespace. */
export interface EmptyingResult {
  /** Null if all resources are known. */
  readonly discoveryError: string | null
  /** Messages of failed deletions. */
  readonly deletionErrors: readonly string[]
  readonly remaining: RemainingContent
}

interface Problem {
  readonly reason: string
  readonly message: string
}

interface ConditionType {
  readonly type: string
  /** Shown while there is no problem. */
  readonly fine: Problem
  readonly problemOf: (result: EmptyingResult) => Problem | null
}

const CONDITION_TYPES: readonly ConditionType[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    fine: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
    problemOf: ({ discoveryError }) =>
      discoveryError === null ? null : { reason: 'DiscoveryFailed', message: discoveryError },
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    fine: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
    problemOf: () => null,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    fine: {
      reason: 'ContentDeleted',
      message: 'All content successfully deleted, may be waiting on finalization',
    },
    problemOf: ({ deletionErrors }) =>
      deletionErrors.length === 0
        ? null
        : {
            reason: 'ContentDeletionFailed',
            message: `Failed to delete all resource types, ${deletionErrors.length} remaining: ${deletionErrors.toSorted().join(', ')}`,
          },
  },
  {
    type: 'NamespaceContentRemaining',
    fine: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    problemOf: ({ remaining }) =>
      problem(
        'SomeResourcesRemain',
        'Some resources are remaining: ',
        remaining.describeResources(),
      ),
  },
  {
    type: 'NamespaceFinalizersRemaining',
    fine: {
      reason: 'ContentHasNoFinalizers',
      message: 'All content-preserving finalizers finished',
    },
    problemOf: ({ remaining }) =>
      problem(
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: ',
        remaining.describeFinalizers(),
      ),
  },
]

function problem(reason: string, prefix: string, description: string): Problem | null {
  return description === '' ? null : { reason, message: prefix + description }
}

/**
 * The conditions of a namespace after an attempt to empty it. Conditions of other types stay. An
 * unchanged condition is the same object.
 */
export function namespaceConditions(
  current: readonly JsonValue[],
  result: EmptyingResult,
  now: Date,
): readonly JsonValue[] {
  const time = `${now.toISOString().slice(0, 19)}Z`
  const isOurs = (condition: JsonValue): boolean =>
    CONDITION_TYPES.some(({ type }) => typeOf(condition) === type)
  const next = CONDITION_TYPES.map(({ type, fine, problemOf }) => {
    const found = problemOf(result)
    const status = found === null ? 'False' : 'True'
    const { reason, message } = found ?? fine
    const old = current.filter(isJsonObject).find((each) => typeOf(each) === type)
    if (old && old['status'] === status && old['message'] === message && old['reason'] === reason) {
      return old
    }
    const lastTransitionTime =
      old && old['status'] === status ? (old['lastTransitionTime'] ?? time) : time
    return { type, status, lastTransitionTime, reason, message } satisfies JsonObject
  })
  return [...current.filter((condition) => !isOurs(condition)), ...next]
}

function typeOf(condition: JsonValue): JsonValue | undefined {
  return isJsonObject(condition) ? condition['type'] : undefined
}

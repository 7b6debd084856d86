import { isSameJson, objectOf, textOf } from 'flotilla'
import { type ApiObject, type FieldError, forbiddenValue, type Strategy } from 'flotilla/planes'
import { blueprintErrors } from './blueprint-errors.ts'
import { blueprintWarnings } from './blueprint-warnings.ts'
import { referenceErrors } from './reference-errors.ts'
import { suspensionErrors } from './suspension-errors.ts'
import { unlessUnchanged } from './unless-unchanged.ts'

/** Reasons why this server refuses sandboxes. */
export interface SandboxProblems {
  /** Why it starts no sandboxes without a wall; null if it does. */
  readonly startProblem: string | null
  /** Why it gives no sandbox access to the API; null if it does. */
  readonly apiProblem: string | null
}

/** The rules of sandboxes. Creations without a wall are warned, and why they do not start. */
export function sandboxStrategy({ startProblem, apiProblem }: SandboxProblems): Strategy {
  return {
    validate: unlessUnchanged((object, old) => sandboxErrors(object, old, apiProblem)),
    warnings: (object, old) => [
      ...startWarnings(object, old, startProblem),
      ...changedBlueprintWarnings(object, old),
    ],
  }
}

function sandboxErrors(
  object: ApiObject,
  old: ApiObject | null,
  apiProblem: string | null,
): readonly FieldError[] {
  const spec = objectOf(object['spec'])
  const { restoreFrom, suspensionStrategy } = spec
  return [
    ...blueprintErrors(spec, apiProblem),
    ...suspensionErrors(suspensionStrategy),
    ...referenceErrors('spec.restoreFrom.snapshotName', objectOf(restoreFrom)['snapshotName']),
    ...(old === null ? [] : sourceErrors(object, old)),
  ]
}

/** A sandbox keeps its origin. */
function sourceErrors(object: ApiObject, old: ApiObject): readonly FieldError[] {
  const { restoreFrom = null } = objectOf(object['spec'])
  const { restoreFrom: before = null } = objectOf(old['spec'])
  if (isSameJson(restoreFrom, before)) return []
  return [
    forbiddenValue(
      'spec.restoreFrom',
      'field is immutable; create another sandbox or fork this one',
    ),
  ]
}

/** Warnings of a creation, and of changes of the workload. */
export function changedBlueprintWarnings(
  object: ApiObject,
  old: ApiObject | null,
): readonly string[] {
  const spec = objectOf(object['spec'])
  const template = spec['podTemplate'] ?? null
  const before = old && objectOf(old['spec'])['podTemplate']
  if (before !== null && before !== undefined && isSameJson(before, template)) return []
  return blueprintWarnings(spec)
}

/**
 * Warns the creator of a sandbox without a wall. `startProblem` is the reason why this server does
 * not start such sandboxes; null if it does.
 */
function startWarnings(
  { spec }: ApiObject,
  old: object | null,
  startProblem: string | null,
): readonly string[] {
  if (old !== null) return []
  const pod = objectOf(objectOf(objectOf(spec)['podTemplate'])['spec'])
  if (textOf(pod['runtimeClassName']) !== 'process') return []
  return startProblem === null
    ? ['sandboxes of the class process have no wall: use bubblewrap for programs of strangers']
    : [`sandboxes of the class process do not start: ${startProblem}`]
}

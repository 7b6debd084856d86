import type { LabelRequirement } from '../../../store/objects/model/object-query.ts'
import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { AdmissionRequest } from '../../model/admission.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { labelSelectorRequirements } from '../../selectors/label-selector-object.ts'
import { matchesLabels } from '../../../store/objects/selection/matches-selector.ts'
import { isNamespaceRequest, labelsOf } from './admission-subject.ts'
import { matchingVersion, parseRules, type ResourceRule } from './resource-rules.ts'

/** The requests that a webhook or policy is for. */
export interface MatchConstraints {
  readonly rules: readonly ResourceRule[]
  readonly excluded: readonly ResourceRule[]
  readonly matchPolicy: 'Exact' | 'Equivalent'
  readonly namespaceLabels: readonly LabelRequirement[]
  readonly objectLabels: readonly LabelRequirement[]
}

/** Reads a namespace of a plane; null if it does not exist. */
export type ReadNamespace = (plane: string, name: string) => Promise<ApiObject | null>

/** Parses the members that webhooks, policies and bindings share. */
export function parseConstraints(source: {
  readonly rules: JsonValue | undefined
  readonly excluded?: JsonValue | undefined
  readonly matchPolicy: JsonValue | undefined
  readonly namespaceSelector: JsonValue | undefined
  readonly objectSelector: JsonValue | undefined
}): MatchConstraints {
  return {
    rules: parseRules(source.rules),
    excluded: parseRules(source.excluded),
    matchPolicy: source.matchPolicy === 'Exact' ? 'Exact' : 'Equivalent',
    namespaceLabels: requirementsOf(source.namespaceSelector),
    objectLabels: requirementsOf(source.objectSelector),
  }
}

function requirementsOf(selector: JsonValue | undefined): readonly LabelRequirement[] {
  if (!isJsonObject(selector)) return []
  try {
    return labelSelectorRequirements(selector)
  } catch {
    // Validation rejects such a selector. If one is stored all the same, it restricts nothing.
    return []
  }
}

/**
 * The version in which a webhook or policy receives the request; null if the request does not match.
 * Reads the namespace only if a selector depends on it.
 */
export async function matchRequest(
  constraints: MatchConstraints,
  request: AdmissionRequest,
  readNamespace: ReadNamespace,
): Promise<string | null> {
  const { rules, excluded, matchPolicy, objectLabels } = constraints
  if (matchingVersion(excluded, request, matchPolicy) !== null) return null
  const version = matchingVersion(rules, request, matchPolicy)
  if (version === null || !matchesObject(objectLabels, request)) return null
  return (await matchesNamespace(constraints, request, readNamespace)) ? version : null
}

/** Either state of the object may match, so that a change of labels cannot evade a webhook. */
function matchesObject(
  requirements: readonly LabelRequirement[],
  { object, oldObject }: AdmissionRequest,
): boolean {
  if (requirements.length === 0) return true
  return [object, oldObject].some(
    (state) => state !== null && matchesLabels(requirements, labelsOf(state)),
  )
}

async function matchesNamespace(
  { namespaceLabels }: MatchConstraints,
  request: AdmissionRequest,
  readNamespace: ReadNamespace,
): Promise<boolean> {
  if (namespaceLabels.length === 0) return true
  if (isNamespaceRequest(request)) {
    return matchesLabels(namespaceLabels, labelsOf(request.object ?? request.oldObject))
  }
  if (request.namespace === '') return true
  const namespace = await readNamespace(request.plane, request.namespace)
  return matchesLabels(namespaceLabels, labelsOf(namespace))
}

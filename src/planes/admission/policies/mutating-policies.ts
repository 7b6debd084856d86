import { errorMessage } from '../../../lib/error-message.ts'
import { must } from '../../../lib/assert.ts'
import { isSameJson } from '../../../lib/json/same-json.ts'
import { KubeError } from '../../errors/kube-error.ts'
import {
  createEvaluationBudget,
  type EvaluationBudget,
} from '../../expressions/evaluation-budget.ts'
import type { AdmissionPlugin, AdmissionRequest } from '../../model/admission.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { evaluateWithAuthorizer } from '../expressions/evaluate-with-authorizer.ts'
import { isExempt } from '../matching/admission-subject.ts'
import { admissionVariables } from '../matching/admission-variables.ts'
import { withIdentity } from '../matching/identity.ts'
import { matchRequest } from '../matching/match-constraints.ts'
import { readNamespaceOnce } from '../matching/read-namespace-once.ts'
import { meetsPolicyConditions, policyValues } from './evaluate-policy.ts'
import { mutateObject } from './mutate-object.ts'
import { mutatingPoliciesOf, type MutatingPolicy } from './mutating-policy.ts'
import type { Binding } from './policy.ts'
import { findParameters } from './policy-parameters.ts'
import { inVersion, namespaceObject, type PolicyDependencies } from './validating-policies.ts'

/** The most steps of all mutations of a request together. */
const MAX_STEPS = 1_000_000

type Mutate = NonNullable<AdmissionPlugin['mutate']>
type MutatedRequest = AdmissionRequest & { readonly object: ApiObject }

interface Invocation {
  readonly policy: MutatingPolicy
  readonly binding: Binding
}

interface Circumstances extends PolicyDependencies {
  readonly budget: EvaluationBudget
}

/**
 * Changes objects with the MutatingAdmissionPolicies of a plane that are bound, then calls `next`. A
 * policy with `reinvocationPolicy: IfNeeded` runs once more if a later policy or `next` has changed
 * the object.
 */
export function mutatingPolicies(dependencies: PolicyDependencies, next: Mutate): Mutate {
  return async (request) => {
    if (isExempt(request)) return request.object
    const policies = mutatingPoliciesOf(await dependencies.configurations.of(request.plane))
    if (policies.length === 0) return next(request)
    const circumstances = {
      ...dependencies,
      budget: createEvaluationBudget(MAX_STEPS),
      readNamespace: readNamespaceOnce(dependencies.readNamespace),
    }
    const first = await runAll(invocationsOf(policies), request, circumstances)
    const changed = await next({ ...request, object: first.object })
    const stale = isSameJson(changed, first.object) ? first.stale : first.repeatable
    const last = await runAll([...stale], { ...request, object: changed }, circumstances)
    return last.object
  }
}

function invocationsOf(policies: readonly MutatingPolicy[]): readonly Invocation[] {
  return policies.flatMap((policy) => policy.bindings.map((binding) => ({ policy, binding })))
}

interface Outcome {
  readonly object: ApiObject
  /** Invocations that can run again. */
  readonly repeatable: readonly Invocation[]
  /** Those of them that have not seen a later change. */
  readonly stale: readonly Invocation[]
}

async function runAll(
  invocations: readonly Invocation[],
  request: MutatedRequest,
  circumstances: Circumstances,
): Promise<Outcome> {
  let { object } = request
  const repeatable: Invocation[] = []
  let stale: readonly Invocation[] = []
  for (const invocation of invocations) {
    const mutated = await runOne(invocation, { ...request, object }, circumstances)
    await circumstances.budget.pause()
    if (mutated === null) continue
    if (!isSameJson(mutated, object)) stale = [...repeatable]
    if (invocation.policy.isReinvoked) repeatable.push(invocation)
    object = mutated
  }
  return { object, repeatable, stale }
}

/** The object after a policy for one binding; null if they do not match the request. */
async function runOne(
  { policy, binding }: Invocation,
  request: MutatedRequest,
  circumstances: Circumstances,
): Promise<ApiObject | null> {
  const { readNamespace, parameters, convert } = circumstances
  const version = await matchRequest(policy.constraints, request, readNamespace)
  if (version === null) return null
  if ((await matchRequest(binding.constraints, request, readNamespace)) === null) return null
  try {
    const converted = await inVersion(request, version, circumstances)
    let object = must(converted.object, 'a mutated request has an object')
    for (const params of await findParameters({ policy, binding }, request, parameters)) {
      const call = { request: { ...converted, object }, version, params }
      object = await mutate(policy, call, circumstances)
    }
    if (version === request.version) return object
    return await convert(request.type, object, request.version)
  } catch (error) {
    if (policy.failsOpen) return request.object
    throw denied(request, { policy, binding }, error)
  }
}

async function mutate(
  policy: MutatingPolicy,
  {
    request,
    version,
    params,
  }: {
    readonly request: MutatedRequest
    readonly version: string
    readonly params: Awaited<ReturnType<typeof findParameters>>[number]
  },
  circumstances: Circumstances,
): Promise<ApiObject> {
  const { authorizer, budget } = circumstances
  const namespace = await namespaceObject(request, circumstances)
  const declared = request.type.versions.find(({ name }) => name === version)
  const { schema } = must(declared, 'a matched version is declared')
  return evaluateWithAuthorizer(authorizer, request, async (value) => {
    const valuesFor = (object: ApiObject) => {
      const variables = admissionVariables({ ...request, object })
      const given = { ...variables, namespaceObject: namespace, params, authorizer: value }
      return policyValues(policy, given, budget)
    }
    let { object } = request
    if (!(await meetsPolicyConditions(policy, valuesFor(object), budget))) return object
    for (const mutation of policy.mutations) {
      const values = valuesFor(object)
      const mutated = await mutateObject(mutation, object, { values, budget, schema })
      object = withIdentity(object, mutated)
    }
    return object
  })
}

function denied(
  { type, name }: AdmissionRequest,
  { policy, binding }: Invocation,
  cause: unknown,
): KubeError {
  const origin = `policy '${policy.name}' with binding '${binding.name}'`
  const message = `${origin} denied request: ${errorMessage(cause)}`
  return new KubeError('forbidden', message, {
    code: 403,
    statusReason: 'Invalid',
    details: { name, group: type.group, kind: type.plural, causes: [{ message }] },
    cause,
  })
}

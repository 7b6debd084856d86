import type { JsonObject } from '../../../lib/json/json.ts'
import { objectOf } from '../../../lib/json/json-fields.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { ResourceName } from '../client/plane-client.ts'
import { readOrNull } from '../client/read-or-null.ts'
import { queueObjects } from '../runtime/queue-objects.ts'
import { type ControllerContext, startController } from '../runtime/start-controller.ts'

const POLICIES: ResourceName = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingadmissionpolicies',
}
const RESOURCE = 'validatingadmissionpolicies.admissionregistration.k8s.io'

/** Checks the types of a policy's expressions; returns the warnings. */
export type CheckPolicy = (plane: string, policy: ApiObject) => Promise<readonly JsonObject[]>

interface Item {
  readonly plane: string
  readonly name: string
}

/** Checks new specs of admission policies of all planes, and stores the warnings in their status. */
export function startPolicyStatusController(
  context: ControllerContext & { readonly check: CheckPolicy },
): Promise<AsyncDisposable> {
  const { fleet, check } = context
  return startController<Item>(context, {
    name: 'policy-status',
    resources: [RESOURCE],
    idOf: ({ plane, name }) => `${plane}/${name}`,
    concurrency: 1,
    observe: ({ type, plane, name, object }, queue) => {
      if (type !== 'DELETED' && !isObserved(object())) queue.add({ plane, name })
    },
    reconcile: async ({ plane, name }) => {
      const client = fleet.plane(plane)
      const policy = await readOrNull(client, POLICIES, { namespace: '', name })
      if (policy === null || isObserved(policy)) return
      const warnings = await check(plane, policy)
      const status = {
        ...objectOf(policy['status']),
        observedGeneration: policy.metadata.generation ?? 0,
        typeChecking: warnings.length === 0 ? {} : { expressionWarnings: warnings },
      }
      await client.updateSubresource(POLICIES, 'status', { ...policy, status })
    },
    findAll: (...pass) =>
      queueObjects(pass, { resource: RESOURCE }, ({ plane, name, object }) =>
        isObserved(object()) ? [] : [{ plane, name }],
      ),
  })
}

function isObserved({ metadata, status }: ApiObject): boolean {
  return objectOf(status)['observedGeneration'] === (metadata.generation ?? 0)
}

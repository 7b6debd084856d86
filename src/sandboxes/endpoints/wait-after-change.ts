import type { ApiObject } from '../../planes/model/api-object.ts'
import type { EndpointRequest } from '../../planes/model/native-resource.ts'
import { type AwaitedCondition, parseTimeout } from '../../planes/requests/awaited-condition.ts'
import { conditionState } from '../../planes/watch/awaited-state.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { sandboxTarget } from './sandbox-target.ts'

/** Waits for a condition of a changed sandbox. Without a duration, returns it as it is. */
export async function waitAfterChange(
  { waitForState }: EndpointParts,
  { target, signal }: Pick<EndpointRequest, 'target' | 'signal'>,
  sandbox: ApiObject,
  { wait, condition }: { readonly wait: string; readonly condition: AwaitedCondition },
): Promise<ApiObject> {
  if (wait === '') return sandbox
  const limits = { timeoutMs: parseTimeout(wait), signal }
  return waitForState(sandboxTarget(target), conditionState(condition), limits)
}

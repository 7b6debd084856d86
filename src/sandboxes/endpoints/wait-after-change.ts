import {
  type ApiObject,
  type AwaitedCondition,
  conditionState,
  type EndpointRequest,
  parseTimeout,
} from 'flotilla/planes'
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

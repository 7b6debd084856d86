import { isJsonObject, type JsonObject } from 'flotilla'
import {
  type ApiObject,
  type EndpointRequest,
  objectConflict,
  readDeclaredBody,
  type SubresourceEndpoint,
} from 'flotilla/planes'
import type { SandboxState } from '../storage/sandbox-state.ts'
import { AGENTS_API_VERSION } from '../types/sandbox-groups.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { sandboxTarget } from './sandbox-target.ts'

/** GET and POST of `activity`: when the sandbox was used last. */
export function activityEndpoint(parts: EndpointParts): SubresourceEndpoint {
  const { objects, workloads, clock } = parts
  const show = async (sandbox: ApiObject): Promise<JsonObject> => {
    const state = await workloads.readState(sandbox.metadata.uid ?? '')
    return activityOf(sandbox, state, clock())
  }
  const read = ({ requester, target }: EndpointRequest): Promise<ApiObject> =>
    objects().get(requester, sandboxTarget(target))
  return {
    hasOptionalBody: true,
    get: async (request) => show(await read(request)),
    create: async (request, given) => {
      readDeclaredBody(given, request.target)
      const sandbox = await read(request)
      const isRecorded = await workloads.recordActivity(sandbox.metadata.uid ?? '', clock())
      if (!isRecorded) {
        const { type, name } = request.target
        throw objectConflict(type, name, 'the workload has not been started yet')
      }
      return { status: 200, body: await show(sandbox) }
    },
  }
}

function activityOf(sandbox: ApiObject, state: SandboxState | null, now: Date): JsonObject {
  const { spec } = sandbox
  const last = state?.lastActivityTime ?? firstTime(sandbox, state)
  const policy = isJsonObject(spec) && isJsonObject(spec['autoSuspend']) ? spec['autoSuspend'] : {}
  const { idleSeconds } = policy
  const suspendsAt =
    last !== null && typeof idleSeconds === 'number' && state?.phase === 'Running'
      ? new Date(last.getTime() + idleSeconds * 1000)
      : null
  return {
    apiVersion: AGENTS_API_VERSION,
    kind: 'SandboxActivity',
    ...(last && {
      lastActivityTime: last.toISOString(),
      idleSeconds: Math.max(0, Math.floor((now.getTime() - last.getTime()) / 1000)),
    }),
    ...(suspendsAt && { suspendTime: suspendsAt.toISOString() }),
  }
}

/** The start of an unused sandbox, or its creation: it has been idle since then. */
function firstTime({ metadata }: ApiObject, state: SandboxState | null): Date | null {
  const started = state?.details['startedTime'] ?? metadata.creationTimestamp
  return typeof started === 'string' ? new Date(started) : null
}

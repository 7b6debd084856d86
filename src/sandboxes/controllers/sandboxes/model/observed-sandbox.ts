import { isJsonObject, type JsonObject } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import { type Sandbox, sandboxOf } from '../../../model/sandbox.ts'
import type { SandboxRef } from '../../../storage/sandbox-state.ts'

/** Keeps a deleted sandbox until its workload and its files are gone. */
export const FINALIZER = 'sandbox.flotilla.dev/workload'
/** Requests a cold boot although the sandbox has a snapshot. Removed after use. */
export const COLD_BOOT_ANNOTATION = 'agents.x-k8s.io/cold-boot'

/** A sandbox as the controller has read it. */
export interface ObservedSandbox {
  readonly object: ApiObject
  readonly ref: SandboxRef
  readonly spec: Sandbox
  readonly hasFinalizer: boolean
  readonly status: JsonObject
}

export function observedSandbox(plane: string, object: ApiObject): ObservedSandbox {
  const { namespace = '', name = '', uid = '', finalizers = [] } = object.metadata
  const { status } = object
  return {
    object,
    ref: { plane, namespace, name, uid },
    spec: sandboxOf(object),
    hasFinalizer: finalizers.includes(FINALIZER),
    status: isJsonObject(status) ? status : {},
  }
}

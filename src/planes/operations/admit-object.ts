import type { AdmissionRequest, ObjectLimit } from '../model/admission.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { DeleteOptions, Requester, Target, WriteOptions } from '../model/object-operations.ts'
import type { OperationsContext } from './context.ts'

interface Write {
  readonly requester: Requester
  readonly target: Target
  readonly operation: AdmissionRequest['operation']
  readonly options: WriteOptions | DeleteOptions
  /** Null for creations. */
  readonly old: ApiObject | null
  /** Null for deletions. */
  readonly next: ApiObject | null
}

/** Passes a write through the mutating members of the admission chain. */
export async function mutateObject(
  { admission }: OperationsContext,
  write: Write & { readonly next: ApiObject },
): Promise<ApiObject> {
  let { next } = write
  for (const plugin of admission) {
    if (plugin.mutate)
      next = await plugin.mutate({ ...requestOf({ ...write, next }), object: next })
  }
  return next
}

/** Passes a write through the validating members of the admission chain, which may reject it. */
export async function validateAdmission(
  { admission }: OperationsContext,
  write: Write,
): Promise<void> {
  if (admission.length === 0) return
  const request = requestOf(write)
  for (const plugin of admission) await plugin.validate?.(request)
}

/** The smallest limit that the admission chain sets for a creation; null without one. */
export async function limitOf(
  { admission }: OperationsContext,
  write: Write,
): Promise<ObjectLimit | null> {
  const request = requestOf(write)
  let smallest: ObjectLimit | null = null
  for (const plugin of admission) {
    const limit = (await plugin.limit?.(request)) ?? null
    if (limit !== null && limit.max < (smallest?.max ?? Infinity)) smallest = limit
  }
  return smallest
}

function requestOf({ requester, target, operation, options, old, next }: Write): AdmissionRequest {
  const { plane, type, version, subresource, namespace } = target
  return {
    plane,
    operation,
    type,
    version,
    subresource,
    namespace,
    name: target.name === '' ? (next?.metadata.name ?? '') : target.name,
    object: next,
    oldObject: old,
    options: optionsObject(operation, options),
    dryRun: options.dryRun === true,
    user: requester.user,
    warn: requester.warn,
  }
}

const OPTIONS_KIND = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
} as const

function optionsObject(
  operation: AdmissionRequest['operation'],
  options: WriteOptions & DeleteOptions,
): AdmissionRequest['options'] {
  const { dryRun, fieldManager, fieldValidation, propagationPolicy, preconditions } = options
  return {
    kind: OPTIONS_KIND[operation],
    apiVersion: 'meta.k8s.io/v1',
    ...(dryRun === true && { dryRun: ['All'] }),
    ...(fieldManager !== undefined && { fieldManager }),
    ...(fieldValidation !== undefined && { fieldValidation }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(preconditions !== undefined && { preconditions: { ...preconditions } }),
  }
}

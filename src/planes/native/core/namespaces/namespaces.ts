import { isJsonObject } from '../../../../lib/json/json.ts'
import { invalidValue } from '../../../errors/field-errors.ts'
import type { ApiObject } from '../../../model/api-object.ts'
import type { FieldError } from '../../../model/field-error.ts'
import type { NativeResource, WriteContext } from '../../../model/native-resource.ts'
import { initialObject } from '../../initial-object.ts'
import { labelKeyProblems } from '../../../selectors/label-syntax.ts'
import { INITIAL_NAMESPACES } from './initial-namespaces.ts'
import { NAMESPACE_TYPE } from './namespace-type.ts'

const FINALIZER = 'kubernetes'
const NAME_LABEL = 'kubernetes.io/metadata.name'

function finalizersOf({ spec }: ApiObject): readonly string[] {
  const finalizers = isJsonObject(spec) ? spec['finalizers'] : undefined
  return Array.isArray(finalizers) ? finalizers.filter((item) => typeof item === 'string') : []
}

/** Adds the label that holds the name of the namespace. */
function labelled(object: ApiObject): ApiObject {
  const { metadata } = object
  const { name, labels } = metadata
  if (name === undefined) return object
  return { ...object, metadata: { ...metadata, labels: { ...labels, [NAME_LABEL]: name } } }
}

function prepareCreate(object: ApiObject): ApiObject {
  const finalizers = finalizersOf(object)
  return labelled({
    ...object,
    spec: {
      finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER],
    },
    status: { phase: 'Active' },
  })
}

function prepareUpdate(
  object: ApiObject,
  old: ApiObject,
  { subresource }: WriteContext,
): ApiObject {
  if (subresource === 'finalize') return labelled(withField(object, 'status', old))
  const kept = withField(object, 'spec', old)
  return labelled(subresource === 'status' ? kept : withField(kept, 'status', old))
}

/** The object with the old value of a field. */
function withField(object: ApiObject, field: 'spec' | 'status', old: ApiObject): ApiObject {
  const { [field]: _, ...rest } = object
  const value = old[field]
  return {
    ...rest,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: object.metadata,
    ...(value !== undefined && { [field]: value }),
  }
}

function finalizerMessages(finalizer: string): readonly string[] {
  const messages = labelKeyProblems(finalizer)
  if (finalizer.includes('/') || finalizer === FINALIZER || finalizer === 'orphan') return messages
  return [...messages, 'name is neither a standard finalizer name nor is it fully qualified']
}

function phaseErrors({ metadata, status }: ApiObject): readonly FieldError[] {
  const phase = (isJsonObject(status) ? status['phase'] : undefined) ?? ''
  const isDeleted = metadata.deletionTimestamp !== undefined
  if (phase === (isDeleted ? 'Terminating' : 'Active')) return []
  const message = isDeleted
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty"
  return [invalidValue('status.Phase', phase, message)]
}

function validate(
  object: ApiObject,
  old: ApiObject | null,
  { subresource }: WriteContext,
): readonly FieldError[] {
  if (old !== null && subresource === 'status') return phaseErrors(object)
  return finalizersOf(object).flatMap((finalizer) =>
    finalizerMessages(finalizer).map((message) =>
      invalidValue('spec.finalizers', finalizer, message),
    ),
  )
}

/** Namespaces. Creating one also creates its default service account. */
export const NAMESPACES: NativeResource = {
  type: NAMESPACE_TYPE,
  strategy: {
    prepareCreate,
    prepareUpdate,
    validate,
    prepareDelete: (object) => ({
      ...object,
      status: { ...(isJsonObject(object['status']) && object['status']), phase: 'Terminating' },
    }),
    isFinalizing: (object) => finalizersOf(object).length > 0,
    companions: ({ metadata: { name = '', creationTimestamp } }) => [
      {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: {
          name: 'default',
          namespace: name,
          ...(creationTimestamp !== undefined && { creationTimestamp }),
        },
      },
    ],
  },
  initialObjects: (plane) =>
    INITIAL_NAMESPACES.map((name) =>
      initialObject(plane, NAMESPACE_TYPE, {
        name,
        labels: { [NAME_LABEL]: name },
        fields: { spec: { finalizers: [FINALIZER] }, status: { phase: 'Active' } },
      }),
    ),
}

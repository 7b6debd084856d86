import type { JsonValue } from '../../../lib/json/json.ts'
import { isJsonObject } from '../../../lib/json/json.ts'
import { forbiddenValue, invalidValue, requiredValue, tooLong } from '../../errors/field-errors.ts'
import type { ApiObject, ObjectMeta } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { ResourceType } from '../../model/resource-type.ts'
import { labelValueProblems, labelKeyProblems } from '../../selectors/label-syntax.ts'
import { dnsLabelMessages, nameMessages, namePrefixMessages } from './name-syntax.ts'
import { ownerReferenceErrors } from './owner-references.ts'
import { textsOf } from '../../../lib/json/json-fields.ts'

const MAX_ANNOTATION_BYTES = 256 * 1024
const MAX_MANAGER_BYTES = 128
const IMMUTABLE = 'field is immutable'
const NO_DOMAIN = 'name is neither a standard finalizer name nor is it fully qualified'
const PREFER_DOMAIN =
  'prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers'
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set([
  'foregroundDeletion',
  'kubernetes',
  'orphan',
])

type Named = Pick<ResourceType, 'namespaced' | 'nameRule'> & Partial<Pick<ResourceType, 'isCustom'>>

/** Members with string values. A schema reports the others. */
function texts(value: JsonValue | undefined): readonly (readonly [string, string])[] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, text] as const] : [],
  )
}

function labelErrors(labels: JsonValue | undefined): readonly FieldError[] {
  const field = 'metadata.labels'
  return texts(labels).flatMap(([key, value]) => [
    ...labelKeyProblems(key).map((message) => invalidValue(field, key, message)),
    ...labelValueProblems(value).map((message) => invalidValue(field, value, message)),
  ])
}

function annotationErrors(annotations: JsonValue | undefined): readonly FieldError[] {
  const field = 'metadata.annotations'
  const listed = texts(annotations)
  const errors = listed.flatMap(([key]) =>
    labelKeyProblems(key.toLowerCase()).map((message) => invalidValue(field, key, message)),
  )
  const bytes = listed.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  return bytes > MAX_ANNOTATION_BYTES ? [...errors, tooLong(field, MAX_ANNOTATION_BYTES)] : errors
}

/** Whether the name of a finalizer has a domain or is a standard one. */
function hasDomain(finalizer: string): boolean {
  return finalizer.includes('/') || STANDARD_FINALIZERS.has(finalizer)
}

/** Warnings about new finalizers of custom resources, which need no domain. */
export function finalizerWarnings({ metadata }: ApiObject, old: ApiObject | null): string[] {
  const stored = new Set(textsOf(old?.metadata.finalizers))
  return textsOf(metadata.finalizers)
    .filter((finalizer) => !stored.has(finalizer) && !hasDomain(finalizer))
    .map((finalizer) => `metadata.finalizers: "${finalizer}": ${PREFER_DOMAIN}`)
}

function finalizerErrors(
  value: JsonValue | undefined,
  { isCustom = false }: Named,
): readonly FieldError[] {
  const field = 'metadata.finalizers'
  const finalizers = textsOf(value)
  const errors = finalizers.flatMap((finalizer, index) => [
    ...labelKeyProblems(finalizer).map((message) => invalidValue(field, finalizer, message)),
    ...(isCustom || hasDomain(finalizer)
      ? []
      : [invalidValue(`${field}[${index}]`, finalizer, NO_DOMAIN)]),
  ])
  if (!finalizers.includes('orphan') || !finalizers.includes('foregroundDeletion')) return errors
  const message = 'finalizer orphan and foregroundDeletion cannot be both set'
  return [...errors, invalidValue(field, finalizers, message)]
}

function managedFieldsErrors(value: JsonValue | undefined): readonly FieldError[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: JsonValue, index) => {
    if (!isJsonObject(entry)) return []
    const field = `metadata.managedFields[${index}]`
    const { operation = '', fieldsType = '', manager = '' } = entry
    const errors: FieldError[] = []
    if (operation !== 'Apply' && operation !== 'Update')
      errors.push(invalidValue(`${field}.operation`, operation, 'must be `Apply` or `Update`'))
    if (fieldsType !== '' && fieldsType !== 'FieldsV1')
      errors.push(invalidValue(`${field}.fieldsType`, fieldsType, 'must be `FieldsV1`'))
    if (typeof manager === 'string' && Buffer.byteLength(manager) > MAX_MANAGER_BYTES)
      errors.push(tooLong(`${field}.manager`, MAX_MANAGER_BYTES))
    return errors
  })
}

function nameErrors(
  { name = '', generateName = '' }: ObjectMeta,
  { nameRule = 'dns-subdomain' }: Named,
): readonly FieldError[] {
  const prefixErrors = namePrefixMessages(generateName, nameRule).map((message) =>
    invalidValue('metadata.generateName', generateName, message),
  )
  const errors =
    name === ''
      ? [requiredValue('metadata.name', 'name or generateName is required')]
      : nameMessages(name, nameRule).map((message) => invalidValue('metadata.name', name, message))
  return generateName === '' ? errors : [...prefixErrors, ...errors]
}

function namespaceErrors(
  { namespace = '' }: ObjectMeta,
  { namespaced }: Named,
): readonly FieldError[] {
  const field = 'metadata.namespace'
  if (!namespaced)
    return namespace === '' ? [] : [forbiddenValue(field, 'not allowed on this type')]
  if (namespace === '') return [requiredValue(field)]
  return dnsLabelMessages(namespace).map((message) => invalidValue(field, namespace, message))
}

function changeErrors(metadata: ObjectMeta, old: ObjectMeta): readonly FieldError[] {
  const errors: FieldError[] = []
  if (metadata.name !== old.name)
    errors.push(invalidValue('metadata.name', metadata.name ?? '', IMMUTABLE))
  if ((metadata.namespace ?? '') !== (old.namespace ?? ''))
    errors.push(invalidValue('metadata.namespace', metadata.namespace ?? '', IMMUTABLE))
  if (old.deletionTimestamp === undefined) return errors
  const stored = new Set(textsOf(old.finalizers))
  const added = textsOf(metadata.finalizers).filter((finalizer) => !stored.has(finalizer))
  if (added.length === 0) return errors
  const names = added.map((finalizer) => JSON.stringify(finalizer)).join(', ')
  const message = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${names}}`
  return [...errors, forbiddenValue('metadata.finalizers', message)]
}

/**
 * The violations of the rules of metadata. Names must have been generated. `old` is the stored
 * object, or null for creations.
 */
export function validateMetadata(
  { metadata }: ApiObject,
  type: Named,
  old: ApiObject | null,
): readonly FieldError[] {
  const common = [
    ...labelErrors(metadata.labels),
    ...annotationErrors(metadata.annotations),
    ...ownerReferenceErrors(metadata.ownerReferences),
    ...managedFieldsErrors(metadata.managedFields),
  ]
  if (old !== null) return [...changeErrors(metadata, old.metadata), ...common]
  return [
    ...nameErrors(metadata, type),
    ...namespaceErrors(metadata, type),
    ...common,
    ...finalizerErrors(metadata.finalizers, type),
  ]
}

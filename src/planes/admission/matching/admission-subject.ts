import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import type { AdmissionRequest } from '../../model/admission.ts'
import type { ApiObject } from '../../model/api-object.ts'

/** Whether the request is for a namespace itself. */
export function isNamespaceRequest({ type }: Pick<AdmissionRequest, 'type'>): boolean {
  return type.group === '' && type.plural === 'namespaces'
}

/** The namespace of a request. The namespace of a Namespace is its name. */
export function namespaceOf(request: AdmissionRequest): string {
  return isNamespaceRequest(request) ? request.name : request.namespace
}

const EXEMPT_KINDS: ReadonlySet<string> = new Set([
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
])

/** Whether the request is for a configuration of admission. It is exempt, so it can be repaired. */
export function isExempt({ type }: Pick<AdmissionRequest, 'type'>): boolean {
  return type.group === 'admissionregistration.k8s.io' && EXEMPT_KINDS.has(type.kind)
}

/** The labels of an object; empty if it is null. */
export function labelsOf(object: ApiObject | JsonObject | null): Readonly<Record<string, string>> {
  const metadata = object?.['metadata']
  const labels = isJsonObject(metadata) ? metadata['labels'] : undefined
  if (!isJsonObject(labels)) return {}
  return Object.fromEntries(
    Object.entries(labels).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

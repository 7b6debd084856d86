import type { CelObject } from '../../../lib/cel/values/value.ts'
import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
import type { AdmissionRequest } from '../../model/admission.ts'
import { requestAttributes } from './request-attributes.ts'

/** The variables of a CEL expression in webhooks and policies. */
export interface AdmissionVariables {
  /** Null for deletions. */
  readonly object: JsonValue
  /** Null for creations. */
  readonly oldObject: JsonValue
  readonly request: JsonObject
  /** See celAuthorizer. */
  readonly authorizer: CelObject
  /** Only in policies. Null for cluster-scoped objects. */
  readonly namespaceObject?: JsonValue
  /** Only in policies with `paramKind`. */
  readonly params?: JsonValue
}

/** The variables of a request, except the authorizer. */
export function admissionVariables(
  request: AdmissionRequest,
): Omit<AdmissionVariables, 'authorizer'> {
  return {
    object: request.object,
    oldObject: request.oldObject,
    request: requestAttributes(request, request.version),
  }
}

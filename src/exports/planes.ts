/** The model of planes: objects, resources with their rules, requests, errors, access. */
export { type DefaultRole } from '../planes/access/defaults/default-role.ts'
export { resourceRule } from '../planes/access/defaults/default-rules.ts'
export type { ServiceAccountTokens } from '../planes/access/tokens/service-account-tokens.ts'
export type { SandboxReference } from '../planes/access/tokens/token-claims.ts'
export { SANDBOX_HEADER } from '../lib/sandbox-header.ts'
export { objectConflict, objectForbidden } from '../planes/errors/failures.ts'
export {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
  valueNotFound,
} from '../planes/errors/field-errors.ts'
export { KubeError } from '../planes/errors/kube-error.ts'
export { statusOf } from '../planes/errors/status.ts'
export { parseQuantity } from '../planes/expressions/quantity.ts'
export type { PlaneAuthorizer } from '../planes/model/access.ts'
export type { AdmissionPlugin, AdmissionRequest } from '../planes/model/admission.ts'
export type { ApiObject, ObjectMeta, OwnerReference } from '../planes/model/api-object.ts'
export type { FieldError } from '../planes/model/field-error.ts'
export type {
  EndpointChunks,
  EndpointRequest,
  NativeResource,
  Strategy,
  SubresourceEndpoint,
  WriteContext,
} from '../planes/model/native-resource.ts'
export type { ObjectOperations, Target } from '../planes/model/object-operations.ts'
export {
  type DeclaredSubresource,
  type PrinterColumn,
  resourceKey,
  type ResourceType,
} from '../planes/model/resource-type.ts'
export type { Schema } from '../planes/model/schema.ts'
export type { UserInfo } from '../planes/model/user-info.ts'
export { readDeclaredBody } from '../planes/operations/input/read-declared-body.ts'
export { storedObject } from '../planes/operations/versioned-object.ts'
export { ROOT_PLANE } from '../planes/planes/root-plane.ts'
export { type AwaitedCondition, parseTimeout } from '../planes/requests/awaited-condition.ts'
export { flagOf, integerOf } from '../planes/requests/request-options.ts'
export { canonicalText } from '../planes/schemas/canonical-text.ts'
export { conditionState } from '../planes/watch/awaited-state.ts'
export type { WaitForState } from '../planes/watch/wait-for-state.ts'
export type { ObjectKey, StoredObject } from '../store/objects/model/stored-object.ts'

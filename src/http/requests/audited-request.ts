import type { Response } from 'express'
import type { AuditedOperation } from './audited-operation.ts'

const OPERATION = 'auditedOperation'
const RESOURCE = 'auditedResource'
const OMITTED = 'omittedFromAudit'

/** The resource in the response to a write. */
interface AuditedResource {
  readonly id: string
  readonly name: string
}

/** The parts of an operation, each of which an API adds as soon as it is known. */
export type OperationParts = Partial<AuditedOperation> & {
  readonly impersonatedUser?: string
  /** The selection of a successful request, if its path does not contain it. */
  readonly detail?: string
}

/** Adds parts of the operation of a request for the audit log. Later parts replace earlier ones. */
export function setAuditedOperation(response: Response, parts: OperationParts): void {
  response.locals[OPERATION] = { ...auditedOperationOf(response), ...parts }
}

/** The known parts of the operation. */
export function auditedOperationOf(response: Response): OperationParts {
  const parts: unknown = response.locals[OPERATION]
  return typeof parts === 'object' && parts !== null ? parts : {}
}

/** Stores the resource that a response contains for the audit log. */
export function setAuditedResource(response: Response, { id, name }: AuditedResource): void {
  response.locals[RESOURCE] = { id, name } satisfies AuditedResource
}

/** The resource that the response contains; null if it contains none. */
export function auditedResourceOf(response: Response): AuditedResource | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only setAuditedResource writes it
  return (response.locals[RESOURCE] as AuditedResource | undefined) ?? null
}

/** Omits a request that another server handles and records; `false` if that server cannot. */
export function omitFromAudit(response: Response, isOmitted = true): void {
  response.locals[OMITTED] = isOmitted
}

/** Whether another server records the request. */
export function isOmittedFromAudit(response: Response): boolean {
  return response.locals[OMITTED] === true
}

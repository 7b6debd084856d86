/** The caller and the operation of a request, as far as the server has found them out. */
export interface AuditedOperation {
  /** The authenticated user; empty if authentication failed. */
  readonly user: string
  readonly groups: readonly string[]
  /** Such as `create`; the method in lower case if the request has no resource. */
  readonly verb: string
  /** The plane, such as `root`; empty outside of planes. */
  readonly plane: string
  readonly group: string
  /** The plural; empty if the request has no resource. */
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** Whether the request changes nothing, as `dryRun=All` demands. */
  readonly dryRun: boolean
}

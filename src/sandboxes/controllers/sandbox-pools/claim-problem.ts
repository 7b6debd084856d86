/** Why a claim has no sandbox. The reasons are those of agent-sandbox. */
export type ClaimProblemReason =
  | 'WarmPoolNotFound'
  | 'TemplateNotFound'
  | 'InvalidMetadata'
  | 'EnvVarsInjectionRejected'
  | 'VolumeClaimTemplatesError'
  | 'ReconcilerError'

/** A claim cannot get a sandbox until its spec or another object changes. */
export class ClaimProblem extends Error {
  override readonly name = 'ClaimProblem'
  readonly reason: ClaimProblemReason

  constructor(reason: ClaimProblemReason, message: string) {
    super(message)
    this.reason = reason
  }
}

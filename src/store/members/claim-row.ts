/** A claimed member. */
export interface ClaimRow {
  /** The ID of the resource. */
  readonly id: string
  readonly name: string
  readonly holder: string
  readonly claim_id: string
  readonly claimed_time: Date
  readonly expires_time: Date | null
}

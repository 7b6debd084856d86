import type { Desk } from '../../jobs/job.ts'

/** A job that a user repeats while clusters change. It may begin on any page. */
export interface LoadJob {
  /** For messages. */
  readonly name: string
  readonly work: (desk: Desk) => Promise<void>
}

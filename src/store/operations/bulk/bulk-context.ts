import type { Context } from '../context.ts'

/** The dependencies of bulk operations. */
export interface BulkContext extends Pick<Context, 'database' | 'registry' | 'clock'> {
  readonly feed: { readonly sequencer: Pick<Context['feed']['sequencer'], 'notifyWrite'> }
}

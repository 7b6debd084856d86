import type { WatchEvent } from '../../../typescript/src/index.ts'
import type { Resource } from '../targets/resource.ts'

/** A list and the changes after it. */
export interface Followed {
  readonly resources: readonly Resource[]
  readonly events: AsyncGenerator<WatchEvent<Resource>, void, undefined>
}

import type { PlaneSeed } from '../../store/objects/model/plane-seed.ts'
import { firstRevision } from '../model/first-revision.ts'

/** A plane and the creation of its cluster. */
interface NewPlane {
  readonly plane: string
  readonly createdTime: Date
}

/**
 * The seed with the ID of its plane. A member's seed can be instantiated and validated before the
 * member has an ID.
 */
export function seedOfPlane({ contents }: PlaneSeed, { plane, createdTime }: NewPlane): PlaneSeed {
  return {
    plane,
    start: firstRevision(createdTime),
    contents: contents.map((content) => ({ ...content, key: { ...content.key, plane } })),
  }
}

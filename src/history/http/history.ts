import { changedPaths } from '../changed-paths.ts'
import type { Steps } from '../../lib/async/steps.ts'
import type { HistoryRow } from '../storage/history-row.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { isInFamily } from '../../hyperfleet/statuses/conditions/condition-family.ts'
import type { WireOptions } from '../../hyperfleet/wire/resource.ts'

/** An entry of the history of a resource in JSON. */
export function* serializeHistoryEntry(
  { family }: Pick<WireOptions, 'family'>,
  id: string,
  row: HistoryRow,
): Steps<JsonObject> {
  const { time, type, kind, name, generation, author, reason, before, after } = row
  const conditions = (row.conditions ?? []).filter((condition) =>
    isInFamily(condition.type, family),
  )
  const changes = yield* changedPaths(before, after)
  return {
    time: time.toISOString(),
    type,
    kind,
    id,
    name,
    generation,
    by: author,
    ...(reason !== '' && { reason }),
    changes: changes.map(({ path, old, new: next }) => ({
      path,
      ...(old !== undefined && { old }),
      ...(next !== undefined && { new: next }),
    })),
    ...(conditions.length > 0 && {
      conditions: conditions.map((condition) => ({
        type: condition.type,
        old: condition.old && { ...condition.old },
        new: condition.new && { ...condition.new },
      })),
    }),
  }
}

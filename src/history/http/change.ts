import type { JsonObject } from '../../lib/json/json.ts'
import { formatResourceVersion } from '../../store/feed/resource-version.ts'
import type { HistoryEntry } from '../history-entry.ts'
import type { DetailedChange } from '../../store/changes/logged-change.ts'
import { isInFamily } from '../../hyperfleet/statuses/conditions/condition-family.ts'
import type { WireOptions } from '../../hyperfleet/wire/resource.ts'

interface Form extends Pick<WireOptions, 'family'> {
  readonly epoch: string
}

/** A change in JSON, without the values of `spec` and `labels`. */
export function serializeChange(
  { family, epoch }: Form,
  { revision, type, by, fields, conditions, row }: HistoryEntry,
): JsonObject {
  const shown = conditions.filter((condition) => isInFamily(condition.type, family))
  return {
    resource_version: formatResourceVersion({ epoch, revision }),
    time: row.written_time.toISOString(),
    type,
    kind: row.kind,
    id: row.resource_id,
    name: row.name,
    generation: row.generation,
    by,
    ...(type === 'reported' && by !== '' && { adapter: by }),
    fields: shown.length > 0 ? [...fields] : fields.filter((field) => field !== 'conditions'),
    ...(shown.length > 0 && {
      conditions: shown.map(({ type: name, old, new: next }) => ({
        type: name,
        old: old && { ...old },
        new: next && { ...next },
      })),
    }),
  }
}

/** A change in JSON with the values of `spec` and `labels` before and after it. */
export function serializeDetailedChange(
  form: Form,
  entry: HistoryEntry<DetailedChange>,
): JsonObject {
  const { row, fields } = entry
  return {
    ...serializeChange(form, entry),
    ...(fields.includes('spec') && { spec: { old: row.old_spec, new: row.spec } }),
    ...(fields.includes('labels') && { labels: { old: row.old_labels, new: row.labels } }),
  }
}

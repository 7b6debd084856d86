import { formatResourceVersion } from '../../store/feed/resource-version.ts'
import type { WatchBatch } from '../../store/operations/watch/watch-event.ts'
import { jsonText } from '../../lib/json/json-text.ts'
import { type Projection, project } from '../query/fields.ts'
import { eventJson } from './event-json.ts'
import type { ObjectTexts } from './object-texts.ts'
import type { StreamFormat } from '../../http/streams/stream-format.ts'

/** Serializes a batch in a format, with the fields of a projection if the watch has one. */
export type BatchWriter = (batch: WatchBatch, form: WatchForm) => Buffer

interface WatchForm {
  readonly format: StreamFormat
  readonly projection: Projection | null
  /** `fields` as sent, which identifies the projection. */
  readonly fields: string
}

/**
 * Serializes each batch once per form, for all streams that send it. Only the streams keep the
 * bytes in memory, and the budget of watches counts them: a batch can outlive them in the queue
 * of a slow client.
 */
export function createBatchWriter(texts: ObjectTexts): BatchWriter {
  const written = new WeakMap<WatchBatch, Map<string, WeakRef<Buffer>>>()
  return (batch, form) => {
    const key = `${form.format.name} ${form.fields}`
    const forms = written.get(batch) ?? new Map<string, WeakRef<Buffer>>()
    written.set(batch, forms)
    const cached = forms.get(key)?.deref()
    if (cached) return cached
    const bytes = Buffer.from(writeBatch(batch, form, texts))
    forms.set(key, new WeakRef(bytes))
    return bytes
  }
}

function writeBatch(
  { events, epoch }: WatchBatch,
  { format, projection }: WatchForm,
  texts: ObjectTexts,
): string {
  return events
    .map((event) => {
      const { type, revision } = event
      const token = revision === null ? null : formatResourceVersion({ epoch, revision })
      const object = projection
        ? jsonText(project(texts.parsed(event), projection))
        : texts.text(event)
      return format.frame(eventJson(type, object, token), token)
    })
    .join('')
}

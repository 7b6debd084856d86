import { formatToken } from '../../feed/token.ts'
import type { WatchBatch } from '../../operations/watch/watch-event.ts'
import { exactJson } from '../plumbing/exact-json.ts'
import { type Projection, project } from '../query/fields.ts'
import { eventJson } from './event-json.ts'
import type { ObjectTexts } from './object-texts.ts'
import type { StreamFormat } from './stream-format.ts'

/** Writes a batch in a format; what a projection leaves of its objects, where there is one. */
export type BatchWriter = (batch: WatchBatch, form: WatchForm) => Buffer

interface WatchForm {
  readonly format: StreamFormat
  readonly projection: Projection | null
  /** `fields` as they were asked for: they tell projections apart. */
  readonly fields: string
}

/** Makes a writer that writes each batch once in each form, for all who are told it. */
export function createBatchWriter(textOf: ObjectTexts): BatchWriter {
  const written = new WeakMap<WatchBatch, Map<string, Buffer>>()
  return (batch, form) => {
    const key = `${form.format.name} ${form.fields}`
    const forms = written.get(batch) ?? new Map<string, Buffer>()
    written.set(batch, forms)
    const known = forms.get(key)
    if (known) return known
    const bytes = Buffer.from(writeBatch(batch, form, textOf))
    forms.set(key, bytes)
    return bytes
  }
}

function writeBatch(
  { events, epoch }: WatchBatch,
  { format, projection }: WatchForm,
  textOf: ObjectTexts,
): string {
  return events
    .map((event) => {
      const { type, revision } = event
      const token = revision === null ? null : formatToken({ epoch, revision })
      const whole = textOf(event)
      const object = projection ? exactJson(project(JSON.parse(whole), projection)) : whole
      return format.frame(eventJson(type, object, token), token)
    })
    .join('')
}

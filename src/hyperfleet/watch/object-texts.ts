import type { JsonObject } from '../../lib/json/json.ts'
import type { Watched, WatchEvent } from '../../store/operations/watch/watch-event.ts'
import { jsonText } from '../../lib/json/json-text.ts'
import { serializeAdapterStatus } from '../wire/adapter-status.ts'
import { serializeStored } from '../wire/representation.ts'
import type { WireOptions } from '../wire/resource.ts'

type Shown = Pick<WatchEvent, 'watched' | 'revision'>

/** The objects of events as JSON. */
export interface ObjectTexts {
  readonly text: (event: Shown) => string
  /** The same, parsed. Callers must not modify it. */
  readonly parsed: (event: Shown) => JsonObject
}

/**
 * Serializes each change once for all watches and keeps the newest texts, up to `maxSize`
 * characters. Does not keep objects of initial states, which serve one watch. Keeps the last parsed
 * object, because watches with different `fields` process the same change one after the other.
 */
export function createObjectTexts(wire: WireOptions, maxSize: number): ObjectTexts {
  const texts = new Map<Watched, string>()
  let size = 0
  let last: { readonly watched: Watched; readonly object: JsonObject } | null = null

  function text({ watched, revision }: Shown): string {
    if (revision === null) return write(wire, watched)
    const cached = texts.get(watched)
    if (cached !== undefined) return cached
    const written = write(wire, watched)
    texts.set(watched, written)
    size += written.length
    for (const [oldest, { length }] of texts) {
      if (size <= maxSize) break
      texts.delete(oldest)
      size -= length
    }
    return written
  }

  return {
    text,
    parsed: (event) => {
      if (last?.watched === event.watched) return last.object
      const object: JsonObject = JSON.parse(text(event))
      last = { watched: event.watched, object }
      return object
    },
  }
}

function write(wire: WireOptions, watched: Watched): string {
  switch (watched.subject) {
    case 'resource':
      return serializeStored(wire, watched.resource)
    case 'status':
      return jsonText(serializeAdapterStatus(watched.status))
  }
}

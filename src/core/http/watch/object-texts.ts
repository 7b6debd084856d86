import type { Watched, WatchEvent } from '../../operations/watch/watch-event.ts'
import { exactJson } from '../plumbing/exact-json.ts'
import { presentAdapterStatus } from '../present/adapter-status.ts'
import { renderStored } from '../present/renderer.ts'
import type { Presentation } from '../present/resource.ts'

/** Writes what an event is about as JSON. */
export type ObjectTexts = (event: Pick<WatchEvent, 'watched' | 'revision'>) => string

/**
 * Writes each change once, whoever is told of it: the newest texts are kept, so many characters of
 * them at most. The state from which a watch begins is read for that watch alone, and not kept.
 */
export function createObjectTexts(presentation: Presentation, maxSize: number): ObjectTexts {
  const texts = new Map<Watched, string>()
  let size = 0
  return ({ watched, revision }) => {
    if (revision === null) return write(presentation, watched)
    const known = texts.get(watched)
    if (known !== undefined) return known
    const text = write(presentation, watched)
    texts.set(watched, text)
    size += text.length
    for (const [oldest, { length }] of texts) {
      if (size <= maxSize) break
      texts.delete(oldest)
      size -= length
    }
    return text
  }
}

function write(presentation: Presentation, watched: Watched): string {
  switch (watched.subject) {
    case 'resource':
      return renderStored(presentation, watched.resource)
    case 'status':
      return exactJson(presentAdapterStatus(watched.status))
  }
}

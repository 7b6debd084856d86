import type { Watched } from '../../operations/watch/watch-event.ts'
import { exactJson } from '../plumbing/exact-json.ts'
import { presentAdapterStatus } from '../present/adapter-status.ts'
import { renderStored } from '../present/renderer.ts'
import type { Presentation } from '../present/resource.ts'

/** Writes what is watched as JSON. */
export type ObjectTexts = (watched: Watched) => string

/**
 * Writes each change once, whoever is told of it: the newest texts are kept, so many characters of
 * them at most.
 */
export function createObjectTexts(presentation: Presentation, maxSize: number): ObjectTexts {
  const texts = new Map<Watched, string>()
  let size = 0
  return (watched) => {
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

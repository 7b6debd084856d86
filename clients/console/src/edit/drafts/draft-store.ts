import { isObject } from '../json/is-object.ts'
import type { JsonObject } from '../yaml/parse-yaml.ts'

/** An edit that has not been saved. */
export interface Draft {
  readonly text: string
  /** The entity tag of the version that the edit started from; empty for a new resource. */
  readonly tag: string
  /** The fields that the edit started from. */
  readonly base: JsonObject
  /** Milliseconds since 1970. */
  readonly savedAt: number
}

/** Keeps drafts of a tab across reloads and lost sessions. */
export interface DraftStore {
  read(key: string): Draft | null
  /** Returns false if the storage is full or not available. */
  write(key: string, draft: Draft): boolean
  remove(key: string): void
}

const PREFIX = 'flotilla.draft.'

/** Stores drafts in the storage of the tab. Drafts that cannot be read are ignored. */
export function createDraftStore(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): DraftStore {
  return {
    read: (key) => attempt(() => draftOf(storage.getItem(PREFIX + key)), null),
    write: (key, draft) =>
      attempt(() => {
        storage.setItem(PREFIX + key, JSON.stringify(draft))
        return true
      }, false),
    remove: (key) => attempt(() => storage.removeItem(PREFIX + key), undefined),
  }
}

/** A browser can refuse access to the storage, and the storage can be full. */
function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action()
  } catch {
    return otherwise
  }
}

function draftOf(stored: string | null): Draft | null {
  if (stored === null) return null
  const draft: unknown = JSON.parse(stored)
  if (!isObject(draft)) return null
  const { text, tag, base, savedAt } = draft
  if (typeof text !== 'string' || typeof tag !== 'string') return null
  if (!isObject(base) || typeof savedAt !== 'number') return null
  return { text, tag, base, savedAt }
}

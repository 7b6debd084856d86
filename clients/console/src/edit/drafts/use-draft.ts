import { useEffect, useState } from 'react'
import { createDraftStore, type Draft } from './draft-store.ts'

const SAVE_MS = 200

/** The drafts of this tab. */
const drafts = createDraftStore(window.sessionStorage)

interface KeptDraft {
  /** The current state of the edit. */
  readonly draft: Draft
  /** Whether it comes from before a reload of the page. */
  readonly isRestored: boolean
  /** Whether the browser has no space to keep the edit across a reload. */
  readonly isLost: boolean
  readonly change: (part: Partial<Draft>) => void
  /** Forgets the stored draft, after the edit is saved or discarded. */
  readonly forget: () => void
}

/** An edit that survives a reload of the page and a lost session. */
export function useDraft(key: string, start: () => Draft): KeptDraft {
  const [restored] = useState(() => drafts.read(key))
  const [draft, setDraft] = useState(() => restored ?? start())
  const [isLost, setLost] = useState(false)
  const [writer] = useState(() => new DraftWriter(key, setLost))
  useEffect(() => {
    const flush = () => writer.flush()
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [writer])
  return {
    draft,
    isRestored: restored !== null,
    isLost,
    change: (part) => {
      const next = { ...draft, ...part, savedAt: Date.now() }
      setDraft(next)
      writer.schedule(next)
    },
    forget: () => writer.forget(),
  }
}

/** Writes the newest draft after a pause in typing. */
class DraftWriter {
  readonly #key: string
  readonly #onResult: (isLost: boolean) => void
  #pending: Draft | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(key: string, onResult: (isLost: boolean) => void) {
    this.#key = key
    this.#onResult = onResult
  }

  schedule(draft: Draft): void {
    this.#pending = draft
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.flush(), SAVE_MS)
  }

  flush(): void {
    if (this.#pending !== null) this.#onResult(!drafts.write(this.#key, this.#pending))
    this.#pending = null
  }

  forget(): void {
    clearTimeout(this.#timer)
    this.#pending = null
    drafts.remove(this.#key)
  }
}

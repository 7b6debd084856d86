import type { Config } from './settings.ts'

/** Prepares new settings; throws if they cannot be applied. Returns a function that applies them. */
type PrepareReload = (next: Config) => Promise<() => void> | (() => void)

/** The settings in effect. A reload changes those that a running server can apply. */
export interface LiveSettings {
  readonly current: Config
  /** Adds a part that must do more than read `current` again. */
  onReload(prepare: PrepareReload): void
  /** Applies new settings completely, or not at all: rejects with the problems of all parts. */
  apply(next: Config): Promise<void>
}

export function createLiveSettings(initial: Config): LiveSettings {
  let current = initial
  const parts: PrepareReload[] = []
  return {
    get current() {
      return current
    },
    onReload: (prepare) => void parts.push(prepare),
    apply: async (next) => {
      const prepared = await Promise.allSettled(parts.map(async (prepare) => prepare(next)))
      const errors = prepared.flatMap((each): unknown[] =>
        each.status === 'rejected' ? [each.reason] : [],
      )
      if (errors.length > 0) throw new AggregateError(errors, 'the settings cannot be applied')
      current = next
      for (const each of prepared) if (each.status === 'fulfilled') each.value()
    },
  }
}

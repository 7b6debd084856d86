/** The settings in effect. A reload changes those that a running server can apply. */
export interface LiveSettings<Config> {
  readonly current: Config
  /**
   * Adds a part that must do more than read `current` again. It prepares new settings, throws if
   * they cannot be applied, and returns a function that applies them.
   */
  onReload(prepare: (next: Config) => Promise<() => void> | (() => void)): void
  /** Applies new settings completely, or not at all: rejects with the problems of all parts. */
  apply(next: Config): Promise<void>
}

/** The settings of a server that starts with these. */
export function createLiveSettings<Config>(initial: Config): LiveSettings<Config> {
  let current = initial
  const parts: Parameters<LiveSettings<Config>['onReload']>[0][] = []
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

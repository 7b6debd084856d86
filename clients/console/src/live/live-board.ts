/** The state of one stream. */
export type StreamState =
  | { readonly state: 'connecting' }
  /** `heard` is the time of the last event or heartbeat. */
  | { readonly state: 'live'; readonly heard: number }
  | { readonly state: 'reconnecting'; readonly since: number }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'paused' }

/** Hundreds of events per second must not cause as many updates of the page. */
const STEP_MS = 1000

/** The states of all streams of the tab, for the line that shows whether the page is current. */
export class LiveBoard {
  readonly #streams = new Map<string, StreamState>()
  readonly #listeners = new Set<() => void>()
  #snapshot: readonly StreamState[] = []

  set(key: string, state: StreamState): void {
    const last = this.#streams.get(key)
    if (last?.state === 'live' && state.state === 'live' && state.heard - last.heard < STEP_MS)
      return
    this.#streams.set(key, state)
    this.#publish()
  }

  get(key: string): StreamState | undefined {
    return this.#streams.get(key)
  }

  remove(key: string): void {
    this.#streams.delete(key)
    this.#publish()
  }

  readonly snapshot = (): readonly StreamState[] => this.#snapshot

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #publish(): void {
    this.#snapshot = [...this.#streams.values()]
    for (const listener of this.#listeners) listener()
  }
}

/** The board of this tab. */
export const liveBoard = new LiveBoard()

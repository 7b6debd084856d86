import { isRemembered, readToken, storeToken, type TokenPlaces } from './token-store.ts'

/** The token of this tab, and the wait for a new one after the server rejected it. */
export class Session {
  readonly #places: TokenPlaces
  readonly #listeners = new Set<() => void>()
  #token: string
  #isRejected = false
  #waiting: (() => void)[] = []

  constructor(places: TokenPlaces) {
    this.#places = places
    this.#token = readToken(places)
  }

  /** Whether the server rejected the token, so that a dialog asks for a new one. */
  get needsToken(): boolean {
    return this.#isRejected
  }

  get remembered(): boolean {
    return isRemembered(this.#places)
  }

  /** The current token; empty without one. After a rejection, waits until there is a new one. */
  async token(): Promise<string> {
    if (this.#isRejected) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.#token
  }

  /** The current token without a wait, for WebSockets. */
  currentToken(): string {
    return this.#token
  }

  /** Records that the server rejected a token, unless a newer one has replaced it. */
  reject(token: string): void {
    if (this.#isRejected || token !== this.#token) return
    this.#isRejected = true
    this.#notify()
  }

  /** Replaces the token and continues the requests that wait for it. */
  accept(token: string, remember: boolean): void {
    storeToken(this.#places, token, remember)
    this.#token = token
    this.#isRejected = false
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
    this.#notify()
  }

  /** Forgets the token; the next rejected request asks for a new one. */
  signOut(): void {
    this.accept('', false)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

const INTERVAL_MS = 100

/** Decodes bytes and delivers the text at most ten times per second. */
export class TextCollector {
  readonly #decoder = new TextDecoder()
  readonly #onText: (text: string) => void
  #text = ''
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(onText: (text: string) => void) {
    this.#onText = onText
  }

  add(bytes: Uint8Array): void {
    this.addText(this.#decoder.decode(bytes, { stream: true }))
  }

  addText(text: string): void {
    this.#text += text
    this.#timer ??= setTimeout(() => this.flush(), INTERVAL_MS)
  }

  /** Delivers the rest now. */
  flush(): void {
    this.stop()
    const text = this.#text
    this.#text = ''
    if (text !== '') this.#onText(text)
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}

/** How long samples are kept: a rate is the average of about this time. */
const WINDOW_MS = 10_000

interface Sample {
  /** Milliseconds of a monotonic clock. */
  readonly at: number
  readonly total: number
}

/** The rate of a growing total, from samples of it. */
export class RateWindow {
  #samples: Sample[] = []

  /** Adds a sample and drops those that are too old. A total that falls starts again. */
  sample(at: number, total: number): void {
    const last = this.#samples.at(-1)
    if (last && total < last.total) this.#samples = []
    this.#samples.push({ at, total })
    while (this.#isOld(this.#samples[1], at)) this.#samples.shift()
  }

  /** The average rate per second between the first and the last sample; 0 with one sample. */
  get perSecond(): number {
    const [first] = this.#samples
    const last = this.#samples.at(-1)
    if (!first || !last || last.at <= first.at) return 0
    return ((last.total - first.total) * 1000) / (last.at - first.at)
  }

  #isOld(sample: Sample | undefined, now: number): boolean {
    return sample !== undefined && now - sample.at >= WINDOW_MS
  }
}

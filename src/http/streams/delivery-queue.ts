import type { Delivery } from './delivery.ts'
import type { WatchBudget } from './watch-budget.ts'

/**
 * The deliveries of one stream, counted in the budget. Parked deliveries wait for the client and
 * do not count as backlog, so that a client that does not read cannot block the others.
 */
export class DeliveryQueue {
  readonly #budget: WatchBudget
  #deliveries: Delivery[] = []
  #bytes = 0
  #isParked = false

  constructor(budget: WatchBudget) {
    this.#budget = budget
  }

  get isEmpty(): boolean {
    return this.#deliveries.length === 0
  }

  /** Estimated size of the deliveries, including memory shared with other streams. */
  get bytes(): number {
    return this.#bytes
  }

  /** Whether the deliveries wait for the client. */
  get isParked(): boolean {
    return this.#isParked
  }

  push(delivery: Delivery): void {
    const { source, size } = delivery
    this.#budget.hold(source, size)
    if (!this.#isParked) this.#budget.holdBacklog(source, size)
    this.#deliveries.push(delivery)
    this.#bytes += size
  }

  /** Removes the first delivery; null if there is none. */
  shift(): Delivery | null {
    const delivery = this.#deliveries.shift()
    if (!delivery) return null
    this.#bytes -= delivery.size
    this.#release(delivery)
    return delivery
  }

  park(): void {
    if (this.#isParked) return
    this.#isParked = true
    for (const { source } of this.#deliveries) this.#budget.releaseBacklog(source)
  }

  unpark(): void {
    if (!this.#isParked) return
    this.#isParked = false
    for (const { source, size } of this.#deliveries) this.#budget.holdBacklog(source, size)
  }

  clear(): void {
    for (const delivery of this.#deliveries) this.#release(delivery)
    this.#deliveries = []
    this.#bytes = 0
  }

  #release({ source }: Delivery): void {
    this.#budget.release(source)
    if (!this.#isParked) this.#budget.releaseBacklog(source)
  }
}

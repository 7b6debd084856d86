import type { Timers } from 'flotilla/controllers'
import type { RuntimeEntry } from './runtime-entry.ts'

interface Lease {
  readonly renewTime: string
  readonly expiresAt: number
  readonly timer: Disposable
}

/**
 * The leases of runtimes. The age of a renewal is measured with the clock of this process, so that
 * a difference between the clocks of machines does not matter. Only the first observation of a
 * runtime trusts the time in its object.
 */
export class RuntimeLeases implements Disposable {
  readonly #leases = new Map<string, Lease>()
  readonly #timers: Timers
  readonly #onExpired: (name: string) => void

  constructor(timers: Timers, onExpired: (name: string) => void) {
    this.#timers = timers
    this.#onExpired = onExpired
  }

  isLive(name: string): boolean {
    const lease = this.#leases.get(name)
    return lease !== undefined && lease.expiresAt > this.#timers.now()
  }

  /** Records the lease of a runtime. Returns whether the runtime has become live. */
  observe({ name, renewTime, leaseDurationSeconds }: RuntimeEntry): boolean {
    const before = this.#leases.get(name)
    if (before?.renewTime === renewTime) return false
    const wasLive = this.isLive(name)
    const age = before === undefined ? this.#ageOf(renewTime) : 0
    const remaining = leaseDurationSeconds * 1000 - age
    before?.timer[Symbol.dispose]()
    this.#leases.set(name, {
      renewTime,
      expiresAt: this.#timers.now() + remaining,
      timer: this.#expire(name, remaining),
    })
    return !wasLive && remaining > 0
  }

  /** Calls back when the lease has ended. Timers may end a little early. */
  #expire(name: string, remainingMs: number): Disposable {
    return this.#timers.schedule(Math.max(0, remainingMs), () => {
      const lease = this.#leases.get(name)
      const restMs = (lease?.expiresAt ?? 0) - this.#timers.now()
      if (lease === undefined || restMs <= 0) return this.#onExpired(name)
      this.#leases.set(name, { ...lease, timer: this.#expire(name, Math.ceil(restMs)) })
    })
  }

  forget(name: string): void {
    this.#leases.get(name)?.timer[Symbol.dispose]()
    this.#leases.delete(name)
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#leases.values()) timer[Symbol.dispose]()
    this.#leases.clear()
  }

  #ageOf(renewTime: string): number {
    const time = Date.parse(renewTime)
    return Number.isNaN(time) ? Infinity : Math.max(0, this.#timers.clock().getTime() - time)
  }
}

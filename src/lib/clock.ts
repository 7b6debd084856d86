import { microsecondsOf, PreciseDate, type TimeUnit } from './precise-date.ts'

/** Returns the current time. Tests pass their own clock. */
export type Clock = () => Date

/** The sources of a clock: the machine's time, and a timer that only moves forward. Both in ms. */
interface TimeSources {
  readonly wall: () => number
  readonly monotonic: () => number
}

/**
 * A clock in microseconds. The milliseconds are those of the machine's clock, which has no smaller
 * unit in Node. The timer supplies the microseconds, and follows the machine's clock if that is set.
 */
export function createClock({ wall, monotonic }: TimeSources): Clock {
  let offset = Number.NaN
  return () => {
    const millisecond = wall()
    const timer = monotonic()
    let fraction = offset + timer - millisecond
    if (!(fraction >= 0)) fraction = 0
    else if (fraction >= 1) fraction = LAST_FRACTION
    else return new PreciseDate(millisecond, Math.floor(fraction * 1000))
    offset = millisecond + fraction - timer
    return new PreciseDate(millisecond, Math.floor(fraction * 1000))
  }
}

/** The last microsecond of a millisecond. */
const LAST_FRACTION = 0.9995

/** The clock of this machine. */
export const systemClock: Clock = createClock({
  wall: Date.now,
  monotonic: () => performance.now(),
})

/** A clock whose times are in the unit that applies at each call. */
export function clockInUnit(clock: Clock, unit: () => TimeUnit): Clock {
  return () => {
    const time = clock()
    const current = unit()
    return new PreciseDate(
      time.getTime(),
      current === 'microsecond' ? microsecondsOf(time) : 0,
      current,
    )
  }
}

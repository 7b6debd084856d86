/** A range of costs or sizes; infinite if it has no limit. */
export interface Interval {
  readonly min: number
  readonly max: number
}

export const ZERO: Interval = { min: 0, max: 0 }
export const UNKNOWN: Interval = { min: 0, max: Infinity }

export function exactly(value: number): Interval {
  return { min: value, max: value }
}

export function plus(one: Interval, other: Interval): Interval {
  return { min: one.min + other.min, max: one.max + other.max }
}

export function total(intervals: readonly Interval[]): Interval {
  return intervals.reduce(plus, ZERO)
}

export function times(one: Interval, other: Interval): Interval {
  return { min: product(one.min, other.min), max: product(one.max, other.max) }
}

/** Each bound multiplied and rounded up. */
export function scaled({ min, max }: Interval, factor: number): Interval {
  return { min: Math.ceil(min * factor), max: Math.ceil(max * factor) }
}

/** The smallest interval that contains both. */
export function union(one: Interval, other: Interval): Interval {
  return { min: Math.min(one.min, other.min), max: Math.max(one.max, other.max) }
}

function product(one: number, other: number): number {
  return one === 0 || other === 0 ? 0 : one * other
}

import type { Tone } from '../../design/tone.ts'

const TONES: Readonly<Record<string, Tone>> = {
  Ready: 'good',
  Bound: 'good',
  Active: 'good',
  Established: 'good',
  Running: 'good',
  Available: 'good',
  Pending: 'warn',
  Creating: 'warn',
  Terminating: 'warn',
  Deleting: 'warn',
  Warning: 'warn',
  Unknown: 'neutral',
  Suspended: 'info',
  Consumed: 'neutral',
  Failed: 'bad',
  Error: 'bad',
}

/** Columns whose values are states. */
const STATES = ['ready', 'status', 'phase', 'state', 'bound', 'type', 'mode', 'available']

/** The meaning of a value in a column of states; null for ordinary values. */
export function cellTone(column: string, value: unknown): Tone | null {
  if (typeof value !== 'string' || !STATES.includes(column.toLowerCase())) return null
  if (value === 'True') return 'good'
  if (value === 'False') return 'warn'
  return TONES[value] ?? null
}

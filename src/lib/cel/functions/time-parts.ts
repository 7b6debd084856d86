import { CelError } from '../cel-error.ts'
import { floorDivide, NANOS_PER_SECOND } from '../values/times.ts'
import { CelDuration, CelTimestamp, type CelValue } from '../values/value.ts'
import { objectAt, textAt } from './arguments.ts'
import type { Declarations, Run } from './function.ts'

/** A part of a time, computed from its local date. */
const PARTS: readonly (readonly [string, (local: Date) => number])[] = [
  ['getFullYear', (local) => local.getUTCFullYear()],
  ['getMonth', (local) => local.getUTCMonth()],
  ['getDate', (local) => local.getUTCDate()],
  ['getDayOfMonth', (local) => local.getUTCDate() - 1],
  ['getDayOfWeek', (local) => local.getUTCDay()],
  ['getDayOfYear', dayOfYear],
]

/** Parts that durations have too, with the nanoseconds of one. */
const UNITS: readonly (readonly [string, (local: Date) => number, bigint])[] = [
  ['getHours', (local) => local.getUTCHours(), 3600n * NANOS_PER_SECOND],
  ['getMinutes', (local) => local.getUTCMinutes(), 60n * NANOS_PER_SECOND],
  ['getSeconds', (local) => local.getUTCSeconds(), NANOS_PER_SECOND],
]

/** The parts of times and durations. */
export const TIME_PARTS: Declarations = [
  ...[...PARTS, ...UNITS].flatMap(([name, read]): [string, Run][] => [
    [`timestamp#${name}(): int`, (args) => BigInt(read(localDate(args, 'UTC')))],
    [`timestamp#${name}(string): int`, (args) => BigInt(read(localDate(args, textAt(args, 1))))],
  ]),
  ['timestamp#getMilliseconds(): int', millisecondsOfTime],
  ['timestamp#getMilliseconds(string): int', millisecondsOfTime],
  ...UNITS.map(([name, , unit]): [string, Run] => [
    `duration#${name}(): int`,
    (args) => objectAt(args, 0, CelDuration).nanos / unit,
  ]),
  ['duration#getMilliseconds(): int', (args) => objectAt(args, 0, CelDuration).nanos / 1_000_000n],
]

function millisecondsOfTime(args: readonly CelValue[]): bigint {
  const { nanos } = objectAt(args, 0, CelTimestamp)
  return (nanos - floorDivide(nanos, NANOS_PER_SECOND) * NANOS_PER_SECOND) / 1_000_000n
}

function dayOfYear(local: Date): number {
  const start = new Date(local)
  start.setUTCMonth(0, 1)
  return Math.round((local.getTime() - start.getTime()) / 86_400_000)
}

/** The time in a zone, as if it were UTC. */
function localDate(args: readonly CelValue[], zone: string): Date {
  const seconds = Number(floorDivide(objectAt(args, 0, CelTimestamp).nanos, NANOS_PER_SECOND))
  return new Date((seconds + 60 * offsetMinutes(zone, seconds)) * 1000)
}

function offsetMinutes(zone: string, seconds: number): number {
  if (zone === 'UTC' || zone === '') return 0
  const fixed = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone)
  if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3]))
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    const parts = format.formatToParts(new Date(seconds * 1000))
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const match = /^GMT([+-])(\d{2}):(\d{2})/.exec(name)
    if (!match) return 0
    return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]))
  } catch (error) {
    throw new CelError(`unknown time zone ${zone}`, { cause: error })
  }
}

import { CelError } from '../cel-error.ts'
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from '../types/type.ts'
import { type Spend } from '../values/compare-values.ts'
import {
  floorDivide,
  formatDuration,
  formatTimestamp,
  NANOS_PER_SECOND,
  parseDuration,
  parseTimestamp,
  timestampOf,
} from '../values/times.ts'
import {
  CelDuration,
  CelTimestamp,
  CelTypeValue,
  type CelUint,
  type CelValue,
  typeOfValue,
} from '../values/value.ts'
import {
  boolAt,
  bytesAt,
  doubleAt,
  intAt,
  listAt,
  mapAt,
  objectAt,
  textAt,
  uintAt,
  valueAt,
} from './arguments.ts'
import { characterCount } from './code-points.ts'
import type { Declarations, Run } from './function.ts'
import { checkedInt, checkedUint } from './operators.ts'
import { spendText } from './text-limit.ts'

/** A conversion of a text; charges for its length. */
function fromText(convert: (text: string) => CelValue): Run {
  return (args, spend) => {
    const text = textAt(args, 0)
    spend(1)
    spendText(text.length, spend)
    return convert(text)
  }
}

const identity: Run = (args) => valueAt(args, 0)

/** Conversions between types, and sizes. */
export const CONVERSIONS: Declarations = [
  ['size(string): int', sizeOfText],
  ['size(bytes): int', (args) => BigInt(bytesAt(args, 0).length)],
  ['size(list<A>): int', (args) => BigInt(listAt(args, 0).length)],
  ['size(map<A, B>): int', (args) => BigInt(mapAt(args, 0).size)],
  ['string#size(): int', sizeOfText],
  ['bytes#size(): int', (args) => BigInt(bytesAt(args, 0).length)],
  ['list<A>#size(): int', (args) => BigInt(listAt(args, 0).length)],
  ['map<A, B>#size(): int', (args) => BigInt(mapAt(args, 0).size)],
  ['dyn(A): dyn', identity],
  ['type(A): type<A>', (args) => new CelTypeValue(typeOfValue(valueAt(args, 0)))],
  ['bool(bool): bool', identity],
  ['bool(string): bool', fromText(boolOf)],
  ['bytes(bytes): bytes', identity],
  ['bytes(string): bytes', fromText((text) => Buffer.from(text))],
  ['double(double): double', identity],
  ['double(int): double', (args) => Number(intAt(args, 0))],
  ['double(uint): double', (args) => Number(uintAt(args, 0))],
  ['double(string): double', fromText(doubleOf)],
  ['int(int): int', identity],
  ['int(uint): int', (args) => checkedInt(uintAt(args, 0))],
  ['int(double): int', (args) => intOfDouble(doubleAt(args, 0))],
  ['int(string): int', fromText(intOf)],
  [
    'int(timestamp): int',
    (args) => floorDivide(objectAt(args, 0, CelTimestamp).nanos, NANOS_PER_SECOND),
  ],
  ['int(duration): int', (args) => objectAt(args, 0, CelDuration).nanos],
  ['uint(uint): uint', identity],
  ['uint(int): uint', (args) => checkedUint(intAt(args, 0))],
  ['uint(double): uint', (args) => checkedUint(wholePart(doubleAt(args, 0), 2 ** 64))],
  ['uint(string): uint', fromText(uintOf)],
  ['string(string): string', identity],
  ['string(bool): string', (args) => String(boolAt(args, 0))],
  ['string(int): string', (args) => String(intAt(args, 0))],
  ['string(uint): string', (args) => String(uintAt(args, 0))],
  ['string(double): string', (args) => formatDouble(doubleAt(args, 0))],
  ['string(bytes): string', textOfBytes],
  ['string(timestamp): string', (args) => formatTimestamp(objectAt(args, 0, CelTimestamp))],
  ['string(duration): string', (args) => formatDuration(objectAt(args, 0, CelDuration))],
  ['timestamp(timestamp): timestamp', identity],
  ['timestamp(string): timestamp', fromText(parseTimestamp)],
  ['timestamp(int): timestamp', (args) => timestampOf(intAt(args, 0) * NANOS_PER_SECOND)],
  ['duration(duration): duration', identity],
  ['duration(string): duration', fromText(parseDuration)],
  ['duration(int): duration', (args) => new CelDuration(intAt(args, 0))],
]

/** Types as values: `type(x) == int`. */
export const TYPE_NAMES: ReadonlyMap<string, Type> = new Map(
  [BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT, DURATION, TIMESTAMP, listOf(DYN), mapOf(DYN, DYN)]
    .map((type): [string, Type] => [type.name, type])
    .concat([['type', { kind: 'type', name: 'type', parameters: [], fields: new Map() }]]),
)

/** The characters that are counted for one step; Kubernetes counts all of them for none. */
const COUNTED_PER_STEP = 100

function sizeOfText(args: readonly CelValue[], spend: Spend): bigint {
  const text = textAt(args, 0)
  spend(Math.floor(text.length / COUNTED_PER_STEP))
  return characterCount(text)
}

function boolOf(text: string): boolean {
  if (['true', 'True', 'TRUE', 't', '1'].includes(text)) return true
  if (['false', 'False', 'FALSE', 'f', '0'].includes(text)) return false
  throw new CelError(`type conversion error from 'string' to 'bool'`)
}

function doubleOf(text: string): number {
  const special = /^([+-]?)(?:inf|infinity)$/i.exec(text)
  if (special) return special[1] === '-' ? -Infinity : Infinity
  if (/^nan$/i.test(text)) return Number.NaN
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) {
    throw new CelError(`type conversion error from 'string' to 'double'`)
  }
  return Number(text)
}

function intOf(text: string): bigint {
  if (!/^[+-]?\d{1,30}$/.test(text)) {
    throw new CelError(`type conversion error from 'string' to 'int'`)
  }
  return checkedInt(BigInt(text.replace(/^\+/, '')))
}

function uintOf(text: string): CelUint {
  if (!/^\d{1,30}$/.test(text)) throw new CelError(`type conversion error from 'string' to 'uint'`)
  return checkedUint(BigInt(text))
}

function intOfDouble(value: number): bigint {
  const whole = wholePart(value, 2 ** 63)
  if (value <= -(2 ** 63)) throw new CelError('integer overflow')
  return checkedInt(whole)
}

function wholePart(value: number, limit: number): bigint {
  if (!(Math.abs(value) < limit)) throw new CelError('integer overflow')
  return BigInt(Math.trunc(value))
}

/** As Go's `%g` shows it. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const magnitude = Math.abs(value)
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e21)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
  }
  return String(value)
}

function textOfBytes(args: readonly CelValue[], spend: Spend): string {
  const bytes = bytesAt(args, 0)
  spendText(bytes.length, spend)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string', { cause: error })
  }
}

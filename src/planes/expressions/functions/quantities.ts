import { CelError } from '../../../lib/cel/cel-error.ts'
import { intAt, objectAt } from '../../../lib/cel/functions/arguments.ts'
import type { Declarations, Run } from '../../../lib/cel/functions/function.ts'
import { spentText } from '../../../lib/cel/functions/text-limit.ts'
import { opaque } from '../../../lib/cel/types/type.ts'
import { CelObject, type CelValue } from '../../../lib/cel/values/value.ts'
import { parseQuantity, type Quantity } from '../quantity.ts'

const NANOS = 1_000_000_000n
const MAX_INTEGER = 2n ** 63n - 1n

/** A quantity in CEL, scaled to billionths. */
class CelQuantity extends CelObject implements Quantity {
  readonly type = opaque('kubernetes.Quantity')
  readonly nanos: bigint

  constructor(nanos: bigint) {
    super()
    this.nanos = nanos
  }

  isSame(other: CelObject): boolean {
    return other instanceof CelQuantity && other.nanos === this.nanos
  }
}

const ofQuantity =
  (read: (quantity: CelQuantity) => CelValue): Run =>
  (args) =>
    read(objectAt(args, 0, CelQuantity))

const ofTwo =
  (compute: (one: bigint, other: bigint) => CelValue): Run =>
  (args) =>
    compute(objectAt(args, 0, CelQuantity).nanos, objectAt(args, 1, CelQuantity).nanos)

const withInteger =
  (compute: (nanos: bigint, other: bigint) => bigint): Run =>
  (args) =>
    new CelQuantity(compute(objectAt(args, 0, CelQuantity).nanos, intAt(args, 1) * NANOS))

const TYPE = 'kubernetes.Quantity'

/** `quantity`, its test, comparisons and arithmetic. */
export const QUANTITIES: Declarations = [
  [`quantity(string): ${TYPE}`, (args, spend) => quantity(spentText(args, 0, spend))],
  ['isQuantity(string): bool', (args, spend) => parseQuantity(spentText(args, 0, spend)) !== null],
  [`${TYPE}#sign(): int`, ofQuantity(({ nanos }) => sign(nanos))],
  [`${TYPE}#isInteger(): bool`, ofQuantity(isInteger)],
  [`${TYPE}#asInteger(): int`, ofQuantity(asInteger)],
  [
    `${TYPE}#asApproximateFloat(): double`,
    ofQuantity(({ nanos }) => Number(nanos) / Number(NANOS)),
  ],
  [`${TYPE}#compareTo(${TYPE}): int`, ofTwo((one, other) => sign(one - other))],
  [`${TYPE}#isGreaterThan(${TYPE}): bool`, ofTwo((one, other) => one > other)],
  [`${TYPE}#isLessThan(${TYPE}): bool`, ofTwo((one, other) => one < other)],
  [`${TYPE}#add(${TYPE}): ${TYPE}`, ofTwo((one, other) => new CelQuantity(one + other))],
  [`${TYPE}#add(int): ${TYPE}`, withInteger((one, other) => one + other)],
  [`${TYPE}#sub(${TYPE}): ${TYPE}`, ofTwo((one, other) => new CelQuantity(one - other))],
  [`${TYPE}#sub(int): ${TYPE}`, withInteger((one, other) => one - other)],
]

function quantity(text: string): CelQuantity {
  const parsed = parseQuantity(text)
  if (parsed === null) {
    throw new CelError('quantities must match the regular expression of quantities')
  }
  return new CelQuantity(parsed.nanos)
}

function isInteger({ nanos }: CelQuantity): boolean {
  const whole = nanos / NANOS
  return nanos % NANOS === 0n && whole <= MAX_INTEGER && whole >= -MAX_INTEGER
}

function asInteger(value: CelQuantity): bigint {
  if (!isInteger(value)) throw new CelError('cannot convert value to integer')
  return value.nanos / NANOS
}

function sign(value: bigint): bigint {
  if (value === 0n) return 0n
  return value > 0n ? 1n : -1n
}

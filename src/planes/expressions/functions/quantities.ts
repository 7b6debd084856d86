import type { Environment } from '@marcbachmann/cel-js'
import { parseQuantity, type Quantity } from '../quantity.ts'

/** A quantity in CEL, scaled to billionths. */
class CelQuantity implements Quantity {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

const NANOS = 1_000_000_000n
const MAX_INTEGER = 2n ** 63n - 1n

/** Registers quantity, isQuantity, comparisons and arithmetic. */
export function registerQuantities(environment: Environment): void {
  environment
    .registerType('Quantity', CelQuantity)
    .registerFunction('quantity(string): Quantity', quantity)
    .registerFunction('isQuantity(string): bool', (text: string) => parseQuantity(text) !== null)
    .registerFunction('Quantity.sign(): int', ({ nanos }: CelQuantity) => sign(nanos))
    .registerFunction('Quantity.isInteger(): bool', isInteger)
    .registerFunction('Quantity.asInteger(): int', (value: CelQuantity) => {
      if (!isInteger(value)) throw new Error('cannot convert value to integer')
      return value.nanos / NANOS
    })
    .registerFunction('Quantity.asApproximateFloat(): double', ({ nanos }: CelQuantity) => {
      return Number(nanos) / Number(NANOS)
    })
    .registerFunction(
      'Quantity.compareTo(Quantity): int',
      (one: CelQuantity, other: CelQuantity) => {
        return sign(one.nanos - other.nanos)
      },
    )
    .registerFunction(
      'Quantity.isGreaterThan(Quantity): bool',
      (one: CelQuantity, other: CelQuantity) => {
        return one.nanos > other.nanos
      },
    )
    .registerFunction(
      'Quantity.isLessThan(Quantity): bool',
      (one: CelQuantity, other: CelQuantity) => {
        return one.nanos < other.nanos
      },
    )
    .registerOperator('Quantity == Quantity', (one: CelQuantity, other: CelQuantity) => {
      return one.nanos === other.nanos
    })
  registerArithmetic(environment)
}

function registerArithmetic(environment: Environment): void {
  environment
    .registerFunction(
      'Quantity.add(Quantity): Quantity',
      (one: CelQuantity, other: CelQuantity) => {
        return new CelQuantity(one.nanos + other.nanos)
      },
    )
    .registerFunction('Quantity.add(int): Quantity', (one: CelQuantity, other: bigint) => {
      return new CelQuantity(one.nanos + other * NANOS)
    })
    .registerFunction(
      'Quantity.sub(Quantity): Quantity',
      (one: CelQuantity, other: CelQuantity) => {
        return new CelQuantity(one.nanos - other.nanos)
      },
    )
    .registerFunction('Quantity.sub(int): Quantity', (one: CelQuantity, other: bigint) => {
      return new CelQuantity(one.nanos - other * NANOS)
    })
}

function quantity(text: string): CelQuantity {
  const parsed = parseQuantity(text)
  if (parsed === null) throw new Error('quantities must match the regular expression of quantities')
  return new CelQuantity(parsed.nanos)
}

function isInteger({ nanos }: CelQuantity): boolean {
  const whole = nanos / NANOS
  return nanos % NANOS === 0n && whole <= MAX_INTEGER && whole >= -MAX_INTEGER
}

function sign(value: bigint): bigint {
  if (value === 0n) return 0n
  return value > 0n ? 1n : -1n
}

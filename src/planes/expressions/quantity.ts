/** An amount such as `1.5Gi` or `100m`, in billionths. */
export interface Quantity {
  readonly nanos: bigint
}

const PATTERN =
  /^([+-]?)(\d{0,64})(?:\.(\d{0,64}))?(?:([eE])([+-]?\d{1,3})|(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?)$/

const FACTORS: ReadonlyMap<string, bigint> = new Map([
  ['n', 1n],
  ['u', 1000n],
  ['m', 10n ** 6n],
  ['', 10n ** 9n],
  ['k', 10n ** 12n],
  ['M', 10n ** 15n],
  ['G', 10n ** 18n],
  ['T', 10n ** 21n],
  ['P', 10n ** 24n],
  ['E', 10n ** 27n],
  ['Ki', 2n ** 10n * 10n ** 9n],
  ['Mi', 2n ** 20n * 10n ** 9n],
  ['Gi', 2n ** 30n * 10n ** 9n],
  ['Ti', 2n ** 40n * 10n ** 9n],
  ['Pi', 2n ** 50n * 10n ** 9n],
  ['Ei', 2n ** 60n * 10n ** 9n],
])

/** Parses a quantity; null if the text is not one. Rounds away from zero to billionths. */
export function parseQuantity(text: string): Quantity | null {
  const match = PATTERN.exec(text)
  if (!match) return null
  const [, sign, whole = '', fraction = '', exponentMark, exponent = '0', suffix = ''] = match
  if (whole === '' && fraction === '') return null
  const digits = BigInt(`${whole}${fraction}`)
  const scale = BigInt(fraction.length)
  const nanos =
    exponentMark === undefined
      ? roundedUp(digits * (FACTORS.get(suffix) ?? 0n), 10n ** scale)
      : exponential(digits, scale, BigInt(exponent))
  return { nanos: sign === '-' ? -nanos : nanos }
}

function exponential(digits: bigint, scale: bigint, exponent: bigint): bigint {
  const power = exponent + 9n - scale
  return power >= 0n ? digits * 10n ** power : roundedUp(digits, 10n ** -power)
}

function roundedUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor
}

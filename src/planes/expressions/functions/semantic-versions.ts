import type { Environment } from '@marcbachmann/cel-js'

/** A version such as `1.2.3-rc.1`. */
class CelVersion {
  readonly numbers: readonly [bigint, bigint, bigint]
  readonly prerelease: readonly string[]

  constructor(text: string) {
    const match =
      /^(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})(?:-([0-9A-Za-z.-]{1,256}))?(?:\+[0-9A-Za-z.-]{1,256})?$/.exec(
        text,
      )
    if (!match) throw new Error(`invalid semantic version: ${JSON.stringify(text)}`)
    const [, major = '', minor = '', patch = '', prerelease] = match
    this.numbers = [BigInt(major), BigInt(minor), BigInt(patch)]
    this.prerelease = prerelease === undefined ? [] : prerelease.split('.')
  }
}

/** Registers semver, isSemver, the parts and comparisons of versions. */
export function registerSemanticVersions(environment: Environment): void {
  environment
    .registerType('Semver', CelVersion)
    .registerFunction('semver(string): Semver', (text: string) => new CelVersion(text))
    .registerFunction('isSemver(string): bool', (text: string) => {
      try {
        return new CelVersion(text).numbers.length === 3
      } catch {
        return false
      }
    })
    .registerFunction('Semver.major(): int', ({ numbers }: CelVersion) => numbers[0])
    .registerFunction('Semver.minor(): int', ({ numbers }: CelVersion) => numbers[1])
    .registerFunction('Semver.patch(): int', ({ numbers }: CelVersion) => numbers[2])
    .registerFunction('Semver.compareTo(Semver): int', (one: CelVersion, other: CelVersion) => {
      return BigInt(compare(one, other))
    })
    .registerFunction('Semver.isLessThan(Semver): bool', (one: CelVersion, other: CelVersion) => {
      return compare(one, other) < 0
    })
    .registerFunction(
      'Semver.isGreaterThan(Semver): bool',
      (one: CelVersion, other: CelVersion) => {
        return compare(one, other) > 0
      },
    )
    .registerOperator('Semver == Semver', (one: CelVersion, other: CelVersion) => {
      return compare(one, other) === 0
    })
}

function compare(one: CelVersion, other: CelVersion): number {
  for (const [index, number] of one.numbers.entries()) {
    const against = other.numbers[index] ?? 0n
    if (number !== against) return number < against ? -1 : 1
  }
  // A version is greater than its prereleases.
  if (one.prerelease.length === 0 || other.prerelease.length === 0) {
    return Math.sign(other.prerelease.length - one.prerelease.length)
  }
  return comparePrereleases(one.prerelease, other.prerelease)
}

function comparePrereleases(one: readonly string[], other: readonly string[]): number {
  for (const [index, part] of one.entries()) {
    const against = other[index]
    if (against === undefined) return 1
    const result = comparePart(part, against)
    if (result !== 0) return result
  }
  return Math.sign(one.length - other.length)
}

function comparePart(one: string, other: string): number {
  if (one === other) return 0
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)]
  if (isNumber && isOtherNumber) return BigInt(one) < BigInt(other) ? -1 : 1
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return one < other ? -1 : 1
}

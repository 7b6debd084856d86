import { CelError } from '../../../lib/cel/cel-error.ts'
import { boolAt, objectAt } from '../../../lib/cel/functions/arguments.ts'
import type { Declarations, Run } from '../../../lib/cel/functions/function.ts'
import { spentText } from '../../../lib/cel/functions/text-limit.ts'
import { opaque } from '../../../lib/cel/types/type.ts'
import type { Spend } from '../../../lib/cel/values/compare-values.ts'
import { CelObject, type CelValue } from '../../../lib/cel/values/value.ts'

const PATTERN =
  /^(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})(?:-([0-9A-Za-z.-]{1,256}))?(?:\+[0-9A-Za-z.-]{1,256})?$/

/** A version such as `1.2.3-rc.1`. */
class CelVersion extends CelObject {
  readonly type = opaque('kubernetes.Semver')
  readonly numbers: readonly [bigint, bigint, bigint]
  readonly prerelease: readonly string[]

  constructor([, major = '', minor = '', patch = '', prerelease]: RegExpExecArray) {
    super()
    this.numbers = [BigInt(major), BigInt(minor), BigInt(patch)]
    this.prerelease = prerelease === undefined ? [] : prerelease.split('.')
  }

  isSame(other: CelObject): boolean {
    return other instanceof CelVersion && compare(this, other) === 0
  }
}

const ofVersion =
  (read: (version: CelVersion) => CelValue): Run =>
  (args) =>
    read(objectAt(args, 0, CelVersion))

const ofTwo =
  (read: (order: number) => CelValue): Run =>
  (args) =>
    read(compare(objectAt(args, 0, CelVersion), objectAt(args, 1, CelVersion)))

const TYPE = 'kubernetes.Semver'

/** `semver`, its test, the parts and comparisons of versions. */
export const SEMANTIC_VERSIONS: Declarations = [
  [`semver(string): ${TYPE}`, (args, spend) => versionOf(spentText(args, 0, spend))],
  [`semver(string, bool): ${TYPE}`, (args, spend) => versionOf(normalized(args, spend))],
  ['isSemver(string): bool', (args, spend) => PATTERN.test(spentText(args, 0, spend))],
  ['isSemver(string, bool): bool', (args, spend) => PATTERN.test(normalized(args, spend))],
  [`${TYPE}#major(): int`, ofVersion(({ numbers }) => numbers[0])],
  [`${TYPE}#minor(): int`, ofVersion(({ numbers }) => numbers[1])],
  [`${TYPE}#patch(): int`, ofVersion(({ numbers }) => numbers[2])],
  [`${TYPE}#compareTo(${TYPE}): int`, ofTwo((order) => BigInt(order))],
  [`${TYPE}#isLessThan(${TYPE}): bool`, ofTwo((order) => order < 0)],
  [`${TYPE}#isGreaterThan(${TYPE}): bool`, ofTwo((order) => order > 0)],
]

function versionOf(text: string): CelVersion {
  const match = PATTERN.exec(text)
  if (match) return new CelVersion(match)
  throw new CelError(`invalid semantic version: ${JSON.stringify(text)}`)
}

/** If the second argument is true: without `v` and leading zeros, with all three numbers. */
function normalized(args: readonly CelValue[], spend: Spend): string {
  const text = spentText(args, 0, spend)
  if (!boolAt(args, 1)) return text
  const match = /^v?(\d{1,16}(?:\.\d{1,16}){0,2})([-+].*)?$/.exec(text)
  if (!match) return text
  const [, core = '', rest = ''] = match
  const numbers = core.split('.').map((part) => part.replace(/^0+(?=\d)/, ''))
  return `${[...numbers, '0', '0'].slice(0, 3).join('.')}${rest}`
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

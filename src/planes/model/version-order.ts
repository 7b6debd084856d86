import { compareText } from '../../lib/text/compare-text.ts'

const PATTERN = /^v(\d{1,9})(?:(alpha|beta)(\d{1,9}))?$/
/** Released versions precede beta versions, which precede alpha versions. */
const STAGES = ['alpha', 'beta', ''] as const

interface Parsed {
  readonly stage: number
  readonly major: number
  readonly minor: number
}

function parse(version: string): Parsed | null {
  const match = PATTERN.exec(version)
  if (!match) return null
  const [, major = '0', stage = '', minor = '0'] = match
  return {
    stage: STAGES.findIndex((name) => name === stage),
    major: Number(major),
    minor: Number(minor),
  }
}

/** Compares versions for sorting, the preferred one first: v10, v2, v1, v11beta2, v1alpha1, foo. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)]
  if (!left || !right) return Number(left === null) - Number(right === null) || compareText(a, b)
  return right.stage - left.stage || right.major - left.major || right.minor - left.minor
}

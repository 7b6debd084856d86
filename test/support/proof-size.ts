/** The divisors of the number of samples, by the variable PROOFS. `npm test` does not set it. */
const DIVISORS: Readonly<Record<string, number>> = { full: 1, fifth: 5 }
const SHORT = 10

/**
 * The number of samples or rounds of a proof by many of them: all of them in
 * `npm run drill -- proofs all`, a fifth in CI, a tenth in `npm test`.
 */
export function proofSize(full: number): number {
  return Math.ceil(full / divisor())
}

/** All cases of a proof in `npm run drill -- proofs`; those that satisfy `isSample` in `npm test`. */
export function proofCases<Case>(
  all: readonly Case[],
  isSample: (one: Case) => boolean,
): readonly Case[] {
  return divisor() === SHORT ? all.filter(isSample) : all
}

function divisor(): number {
  return DIVISORS[process.env['PROOFS'] ?? ''] ?? SHORT
}

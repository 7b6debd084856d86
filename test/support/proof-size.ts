/** The number of samples is divided by this unless the variable PROOFS is `full`. */
const DIVISOR = 10

/**
 * The number of samples or rounds of a proof by many of them: all of them in
 * `npm run drill -- proofs`, a tenth in `npm test`.
 */
export function proofSize(full: number): number {
  return isFull() ? full : Math.ceil(full / DIVISOR)
}

/** All cases of a proof in `npm run drill -- proofs`; those that satisfy `isSample` in `npm test`. */
export function proofCases<Case>(
  all: readonly Case[],
  isSample: (one: Case) => boolean,
): readonly Case[] {
  return isFull() ? all : all.filter(isSample)
}

/** One of several subjects of a proof, such as a kind. */
interface Subject {
  readonly place: number
  readonly places: number
}

/**
 * The cases of one of several subjects that share the code under test: all of them in
 * `npm run drill -- proofs`. In `npm test`, subjects take turns, so that each case has one.
 */
export function proofTurns<const Case>(
  { place, places }: Subject,
  all: readonly Case[],
): readonly Case[] {
  return isFull() ? all : all.filter((_, index) => index % places === place)
}

function isFull(): boolean {
  return process.env['PROOFS'] === 'full'
}

const SHORT = 5

/**
 * The number of samples or rounds of a proof by many of them: all of them in
 * `npm run drill -- proofs`, a fifth in `npm test`.
 */
export function proofSize(full: number): number {
  return process.env['PROOFS'] === 'full' ? full : Math.ceil(full / SHORT)
}

/** The condition of a runtime that says whether it starts sandboxes. */
export const STARTS_SANDBOXES = 'StartsSandboxes'

/** The condition of a runtime that starts no sandboxes because of the problem. */
export function startsNoSandboxes(problem: string) {
  return { type: STARTS_SANDBOXES, status: 'False', reason: 'Unisolated', message: problem }
}

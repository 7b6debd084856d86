/** Warns the creator of an object whose sandboxes this server does not start. */
export function startWarnings(old: object | null, startProblem: string | null): readonly string[] {
  return old === null && startProblem !== null ? [`sandboxes do not start: ${startProblem}`] : []
}

import { objectOf, textOf } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'

/**
 * Warns the creator of a sandbox without a wall. `startProblem` is the reason why this server does
 * not start such sandboxes; null if it does.
 */
export function startWarnings(
  { spec }: ApiObject,
  old: object | null,
  startProblem: string | null,
): readonly string[] {
  if (old !== null) return []
  const pod = objectOf(objectOf(objectOf(spec)['podTemplate'])['spec'])
  if (textOf(pod['runtimeClassName']) !== 'process') return []
  return startProblem === null
    ? ['sandboxes of the class process have no wall: use bubblewrap for programs of strangers']
    : [`sandboxes of the class process do not start: ${startProblem}`]
}

import type { ObjectCondition, PlaneObject } from '../planes/plane-object.ts'

/** The activity of a sandbox: its unfinished operation, or else a condition. */
export function activityOf(sandbox: PlaneObject, otherwise: ObjectCondition | null = null): string {
  const progressing = sandbox.status?.conditions?.find(({ type }) => type === 'Progressing')
  const shown = progressing?.status === 'True' ? progressing : otherwise
  return [shown?.reason, shown?.message].filter(Boolean).join(': ') || 'waiting for the controller'
}

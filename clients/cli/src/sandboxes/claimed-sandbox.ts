import { isJsonObject } from '../documents/json-object.ts'
import type { PlaneObject } from '../planes/plane-object.ts'

/** The name of the sandbox that a claim has; null without one. */
export function claimedSandbox({ status }: PlaneObject): string | null {
  const sandbox = status?.['sandbox']
  return isJsonObject(sandbox) && typeof sandbox['name'] === 'string' ? sandbox['name'] : null
}

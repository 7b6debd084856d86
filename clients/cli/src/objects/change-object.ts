import { diffLines } from '../diff/diff-lines.ts'
import type { JsonObject } from '../documents/json-object.ts'
import { sameValue } from '../edit/same-value.ts'
import type { Session } from '../session/session.ts'
import { resourceContent } from '../apply/resource-content.ts'
import type { LocatedObject } from './located-object.ts'

/** A change of an object. */
export interface Change {
  readonly contentType: string
  readonly body: unknown
  readonly dryRun: boolean
  /** Whether a repetition of the request does no harm. */
  readonly isRepeatable: boolean
  /** Receives the diff and the outcome. */
  readonly print: (line: string) => void
}

/** Patches an object and shows the difference. Returns the new version. */
export async function changeObject(
  { client, signal, out }: Session,
  { path, label, object }: LocatedObject,
  { contentType, body, dryRun, isRepeatable, print }: Change,
): Promise<JsonObject> {
  const { body: changed } = await client.request<JsonObject>({
    method: 'PATCH',
    path,
    body,
    headers: { 'Content-Type': contentType },
    query: { dryRun: dryRun ? 'All' : undefined },
    retry: isRepeatable ? 'always' : 'rejected',
    signal,
  })
  const [before, after] = [object, changed].map(resourceContent)
  const note = dryRun ? ' (dry run)' : ''
  if (sameValue(before, after)) print(`${label} unchanged${note}`)
  else {
    for (const line of diffLines({ before, after }, out.colors)) print(line)
    print(`${label} updated${note}`)
  }
  return changed
}

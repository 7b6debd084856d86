import type { Session } from '../session/session.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import type { Candidate } from './candidate.ts'

const MAX_LABELS = 100

interface LabelRequest {
  readonly kind: string | undefined
  /** Label requirements; the last one is completed. */
  readonly word: string
}

/** Keys of labels, or values after `key=` and `key!=`. */
export async function labelCandidates(
  session: Session,
  { kind, word }: LabelRequest,
): Promise<readonly Candidate[]> {
  const { client, signal } = session
  const target = kind === undefined ? null : await resolveTarget(session, kind, { kubectl: 'get' })
  const [, done = '', key = '', operator = '', value = ''] =
    /^(.*,)?([^=!,]*)(!?==?)?([^,]*)$/.exec(word) ?? []
  const scope = { kind: target?.kind, limit: MAX_LABELS, signal }
  if (operator === '') {
    const { items } = await client.labelKeys({ ...scope, prefix: key })
    return items.map((one) => ({ value: `${done}${one}=` }))
  }
  const { items } = await client.labelValues({ ...scope, key, prefix: value })
  return items.map((one) => ({ value: `${done}${key}${operator}${one}` }))
}

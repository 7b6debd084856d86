import type { Session } from '../session/session.ts'
import { resolveTarget } from '../targets/resolve-target.ts'

/** The kinds that words such as `clusters` name. Throws if webhooks do not send their changes. */
export function webhookKinds(session: Session, words: readonly string[]): Promise<string[]> {
  return Promise.all(words.map(async (word) => await kindOf(session, word)))
}

async function kindOf(session: Session, word: string): Promise<string> {
  return (await resolveTarget(session, word, { kubectl: `get ${word} --watch` })).kind
}

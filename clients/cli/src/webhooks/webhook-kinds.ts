import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { resolveTarget } from '../targets/resolve-target.ts'

/** The kinds that words such as `clusters` name. Throws if webhooks do not send their changes. */
export function webhookKinds(session: Session, words: readonly string[]): Promise<string[]> {
  return Promise.all(words.map(async (word) => await kindOf(session, word)))
}

async function kindOf(session: Session, word: string): Promise<string> {
  const target = await resolveTarget(session, word)
  if (target.api === 'hyperfleet') return target.kind
  throw new CliError(`webhooks do not send the changes of ${target.plural}`, {
    exit: 'usage',
    hint: `'flotilla get ${target.plural} -w' follows them.`,
  })
}

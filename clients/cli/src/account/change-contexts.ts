import type { Contexts } from '../connection/contexts.ts'
import { readContexts } from '../connection/read-contexts.ts'
import { writeContexts } from '../connection/write-contexts.ts'
import { CliError } from '../errors/cli-error.ts'
import { suggestion } from '../errors/suggestion.ts'
import type { Session } from '../session/session.ts'

/** Selects the context that commands use. */
export async function selectContext({ env, err }: Session, name: string): Promise<void> {
  const stored = await readContexts(env)
  const { server } = contextIn(stored, name)
  await writeContexts(env, { ...stored, current: name })
  err.write(`Commands use the context ${name} (${server}) from now on.\n`)
}

/** Renames a context. */
export async function renameContext(
  { env, err }: Session,
  name: string,
  newName: string,
): Promise<void> {
  const stored = await readContexts(env)
  const renamed = contextIn(stored, name)
  if (Object.hasOwn(stored.contexts, newName)) {
    throw new CliError(`the context '${newName}' exists`, {
      hint: `Choose another name, or delete it: 'flotilla context delete ${newName}'.`,
    })
  }
  const { [name]: _removed, ...others } = stored.contexts
  const current = stored.current === name ? newName : stored.current
  await writeContexts(env, { current, contexts: { ...others, [newName]: renamed } })
  err.write(`Renamed the context ${name} to ${newName}.\n`)
}

/** Deletes a context with its token. */
export async function deleteContext({ env, err }: Session, name: string): Promise<void> {
  const stored = await readContexts(env)
  contextIn(stored, name)
  const { [name]: _removed, ...contexts } = stored.contexts
  const current = stored.current === name ? null : stored.current
  await writeContexts(env, { current, contexts })
  err.write(`Deleted the context ${name}.\n`)
}

function contextIn({ contexts }: Contexts, name: string) {
  const found = Object.hasOwn(contexts, name) ? contexts[name] : undefined
  if (found !== undefined) return found
  const similar = suggestion(name, Object.keys(contexts))
  throw new CliError(`there is no context '${name}'`, {
    exit: 'notFound',
    hint:
      similar === null
        ? "'flotilla context list' lists the contexts."
        : `Did you mean '${similar}'?`,
  })
}

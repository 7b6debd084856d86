import { contextNamed } from '../connection/context-named.ts'
import { readContexts } from '../connection/read-contexts.ts'
import { writeContexts } from '../connection/write-contexts.ts'
import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'

/** Selects the context that commands use. */
export async function selectContext({ env, err }: Session, name: string): Promise<void> {
  const stored = await readContexts(env)
  const { server } = contextNamed(stored, name, 'notFound')
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
  const renamed = contextNamed(stored, name, 'notFound')
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
  contextNamed(stored, name, 'notFound')
  const { [name]: _removed, ...contexts } = stored.contexts
  const current = stored.current === name ? null : stored.current
  await writeContexts(env, { current, contexts })
  err.write(`Deleted the context ${name}.\n`)
}

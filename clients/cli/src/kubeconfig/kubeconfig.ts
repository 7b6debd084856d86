import { readFile } from 'node:fs/promises'
import type { KubeconfigOptions } from '../commands/kubeconfig.ts'
import { CliError } from '../errors/cli-error.ts'
import { planePath, ROOT_PLANE } from '../planes/plane-path.ts'
import type { Session } from '../session/session.ts'
import { kindNamed } from '../targets/kind-named.ts'
import { readResource } from '../targets/read-resource.ts'
import type { KubeconfigEntry } from './kubeconfig-entry.ts'
import { kubeconfigFiles } from './kubeconfig-files.ts'
import { mergeKubeconfig } from './merge-kubeconfig.ts'
import { replaceFile } from './replace-file.ts'
import { selectContext } from './select-context.ts'
import { serverOfEntry } from './server-of-entry.ts'

/** Prints a kubeconfig for the plane of a cluster, or merges it into the file of kubectl. */
export async function kubeconfig(
  session: Session,
  cluster: string,
  options: KubeconfigOptions,
): Promise<void> {
  const entry = await entryFor(session, cluster, options.name)
  const { err, env } = session
  if (entry.token !== null && entry.server.startsWith('http:')) {
    err.write(
      'Warning: kubectl sends tokens over HTTPS only, so the server will reject its requests.\n',
    )
  }
  if (options.merge !== true) {
    session.out.write(mergeKubeconfig('', entry))
    return
  }
  const files = kubeconfigFiles(env)
  const file = await fileFor(files, entry.name)
  await replaceFile(file, (text) => {
    if (options.overwrite !== true) refuseOtherServer(text, entry, file)
    return mergeKubeconfig(text, entry)
  })
  await selectContext(files, file, entry.name)
  err.write(`Added the context ${entry.name} to ${file} and selected it.\n`)
}

async function entryFor(
  session: Session,
  cluster: string,
  name: string | undefined,
): Promise<KubeconfigEntry> {
  const { server, token, caFile } = session.connection
  const { id, name: own } = await clusterOf(session, cluster)
  const authority = caFile === undefined ? null : await readFile(caFile, 'utf8')
  return {
    name: name ?? `flotilla-${own}`,
    server: server + planePath(id, ''),
    token: token ?? null,
    authority,
  }
}

/** The ID stays valid if another cluster takes the name later. */
async function clusterOf(session: Session, cluster: string) {
  if (cluster === ROOT_PLANE) return { id: ROOT_PLANE, name: ROOT_PLANE }
  return await readResource(session, await kindNamed(session, 'Cluster'), cluster)
}

/** As kubectl does: the file that has the entry, else the first that exists, else the last. */
async function fileFor(files: readonly string[], name: string): Promise<string> {
  const existing: string[] = []
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text === null) continue
    existing.push(file)
    if (serverOfEntry(text, name) !== null) return file
  }
  return existing[0] ?? files.at(-1) ?? ''
}

/** A name may be in use for a cluster that has nothing to do with this server. */
function refuseOtherServer(text: string, { name, server }: KubeconfigEntry, file: string): void {
  const existing = serverOfEntry(text, name)
  if (existing === null || originOf(existing) === originOf(server)) return
  throw new CliError(`${file} has a cluster ${name} with another server: ${existing}`, {
    hint: 'Choose another name with --name, or replace it with --overwrite.',
  })
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

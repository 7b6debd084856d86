import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { CliError } from '../errors/cli-error.ts'
import type { KubeconfigEntry } from '../kubeconfig/kubeconfig-entry.ts'
import { kubeconfigFiles } from '../kubeconfig/kubeconfig-files.ts'
import { mergeKubeconfig } from '../kubeconfig/merge-kubeconfig.ts'
import { replaceFile } from '../kubeconfig/replace-file.ts'
import { selectContext } from '../kubeconfig/select-context.ts'
import { serverOfEntry } from '../kubeconfig/server-of-entry.ts'
import { planePath, ROOT_PLANE } from '../planes/plane-path.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'
import { kindNamed } from '../targets/kind-named.ts'
import { readResource } from '../targets/read-resource.ts'

/** The options of `flotilla kubeconfig`. */
interface KubeconfigOptions {
  readonly merge?: boolean | undefined
  readonly name?: string | undefined
  readonly overwrite?: boolean | undefined
}

/** `flotilla kubeconfig CLUSTER` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('kubeconfig')
    .description("Prints a kubeconfig for a cluster's plane, or adds it to yours.")
    .argument('<cluster>', 'the name or ID of a cluster, or root for the root plane')
    .option('--merge', 'add it to $KUBECONFIG or ~/.kube/config, and select it')
    .option('--name <context>', 'the name of the context (default: flotilla-CLUSTER)')
    .option('--overwrite', 'replace an entry of this name, whatever server it has')
    .addHelpText('after', EXAMPLES)
    .action(async (cluster: string, options: KubeconfigOptions, command: Command) => {
      const session = await open(command)
      await kubeconfig(session, cluster, options)
    })
}

const EXAMPLES = `
Examples:
  flotilla kubeconfig lisbon --merge && kubectl get namespaces
  flotilla kubeconfig lisbon > lisbon.yaml
`

/** Prints a kubeconfig for the plane of a cluster, or merges it into the file of kubectl. */
async function kubeconfig(
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
  return await readResource(session, await kindNamed(session, 'Cluster'), { name: cluster })
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

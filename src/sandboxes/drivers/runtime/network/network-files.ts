import { open } from 'node:fs/promises'
import path from 'node:path'
import type { RoutedSandbox } from './router-rules.ts'
import { API, ROUTER } from './router-addresses.ts'

const READABLE = 0o644

/** The files that a wall shows as /etc/hosts and /etc/resolv.conf. */
export interface NetworkFiles {
  readonly hosts: string
  readonly resolv: string
}

/** The paths of the files of an instance. */
export function networkFiles(directory: string): NetworkFiles {
  return { hosts: path.join(directory, 'hosts'), resolv: path.join(directory, 'resolv.conf') }
}

/**
 * Writes how the sandbox finds names. Only `Internet` has a resolver: with an allow list, a question
 * could carry data to any name server, so the allowed names are in the hosts file.
 */
export async function writeNetworkFiles(
  files: NetworkFiles,
  sandbox: RoutedSandbox,
): Promise<void> {
  await replaceContent(files.hosts, hostsFile(sandbox))
  await replaceContent(files.resolv, resolvFile(sandbox))
}

function hostsFile({ address, name: own, resolved, reachesApi }: RoutedSandbox): string {
  const lines = ['127.0.0.1 localhost', '::1 localhost ip6-localhost', `${address} ${own}`]
  if (reachesApi) lines.push(`${API.host} ${API.name}`)
  for (const [name, addresses] of resolved) {
    for (const one of addresses) lines.push(`${one} ${name}`)
  }
  return `${lines.join('\n')}\n`
}

function resolvFile({ policy }: RoutedSandbox): string {
  if (policy.mode === 'Internet') return `nameserver ${ROUTER.resolver}\n`
  return '# The network policy of this sandbox permits no name server.\n'
}

/** Keeps the inode, which the wall has bound into the sandbox. */
async function replaceContent(file: string, content: string): Promise<void> {
  const bytes = Buffer.from(content)
  const handle = await open(file, 'a+', READABLE).then(async (created) => {
    await created.chmod(READABLE)
    await created.close()
    return open(file, 'r+')
  })
  try {
    await handle.write(bytes, 0, bytes.length, 0)
    await handle.truncate(bytes.length)
  } finally {
    await handle.close()
  }
}

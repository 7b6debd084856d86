import { fleetPath } from '../fleets/fleet-path.ts'
import { readinessOf } from '../resources/readiness-of.ts'
import { sandboxPath } from '../sandboxes/sandbox-path.ts'
import type { Session } from '../session/session.ts'
import { collectionOf } from '../targets/collection-of.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { readParent } from '../targets/read-resource.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import type { Candidate } from './candidate.ts'

/** More candidates would not help. The server sorts them by name. */
const MAX_NAMES = 100
const NAME_PART = /^[-0-9a-z]*$/

interface NameRequest {
  readonly kind: string
  /** The beginning of the name. */
  readonly word: string
  readonly options: Readonly<Record<string, string>>
}

/** Names of resources, fleets or sandboxes that begin with a word; clusters for node pools without one. */
export async function nameCandidates(
  session: Session,
  { kind, word, options }: NameRequest,
): Promise<readonly Candidate[]> {
  const { cluster, namespace = 'default' } = options
  if (kind === 'fleets') return await objectNames(session, fleetPath(), word)
  if (kind === 'sandboxes') {
    return await objectNames(session, sandboxPath({ cluster, namespace }), word)
  }
  const target = await resolveTarget(session, kind, { kubectl: 'get' })
  const slash = word.lastIndexOf('/')
  const parent = slash < 0 ? cluster : word.slice(0, slash)
  if (target.parentKind === 'Cluster' && parent === undefined) {
    const clusters = await nameCandidates(session, { kind: 'clusters', word, options: {} })
    return clusters.map(({ value }) => ({ value: `${value}/`, description: 'Cluster' }))
  }
  const names = await resourceNames(session, target, { parent, word: word.slice(slash + 1) })
  return names.map((one) => ({ ...one, value: word.slice(0, slash + 1) + one.value }))
}

async function resourceNames(
  session: Session,
  target: KindTarget,
  { parent, word }: { readonly parent: string | undefined; readonly word: string },
): Promise<readonly Candidate[]> {
  if (!NAME_PART.test(word)) return []
  const below = parent === undefined ? undefined : await readParent(session, target, parent)
  const { items } = await collectionOf(session, target)
    .list({
      search: word === '' ? undefined : `name like '${word}%'`,
      parent: below,
      orderBy: 'name',
      pageSize: MAX_NAMES,
      fields: 'name,status',
      signal: session.signal,
    })
    .firstPage()
  return items.map((one) => {
    const ready = readinessOf(one)?.status === 'True'
    return { value: one.name, description: ready ? 'ready' : 'not ready' }
  })
}

interface NameList {
  readonly items: readonly { readonly metadata: { readonly name: string } }[]
}

async function objectNames(
  { client, signal }: Session,
  path: string,
  word: string,
): Promise<readonly Candidate[]> {
  const request = { method: 'GET', path, retry: 'always', signal } as const
  const { body } = await client.request<NameList>(request)
  const names = body.items.map(({ metadata }) => metadata.name)
  return names.filter((name) => name.startsWith(word)).map((value) => ({ value }))
}

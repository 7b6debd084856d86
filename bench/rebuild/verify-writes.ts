import {
  conditionsFollow,
  type ShownResource,
  type ShownStatus,
} from '../../test/statuses/expected-conditions.ts'
import type { Client } from '../servers/http-client.ts'
import type { Fleet, SentReport, WriteTarget } from './fleet.ts'

const CONCURRENCY = 16

interface ShownReport extends ShownStatus {
  readonly data?: { readonly sequence?: number }
}

/**
 * Compares the resources that are not being deleted with their acknowledged writes. Returns one line
 * per difference.
 */
export async function verifyWrites(client: Client, fleet: Fleet): Promise<readonly string[]> {
  const problems: string[] = []
  const pending = fleet.targets().filter(({ isBeingDeleted }) => !isBeingDeleted)
  const work = async (): Promise<void> => {
    for (let target = pending.pop(); target; target = pending.pop()) {
      const found = await differences(client, target)
      problems.push(...found.map((problem) => `${problem} in ${target?.path}`))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return problems
}

async function differences(client: Client, target: WriteTarget): Promise<readonly string[]> {
  const { path, kind, generation } = target
  const [shown, reported] = [
    await client.request('GET', path),
    await client.request('GET', `${path}/statuses?pageSize=100`),
  ]
  // Deleting a cluster also deletes its node pools, which the fleet does not track.
  if (kind === 'NodePool' && shown.status === 404) return []
  if (shown.status !== 200) return [`the response ${shown.status} to a read`]
  const resource: ShownResource = JSON.parse(shown.text)
  if (resource.deleted_time !== undefined) return kind === 'NodePool' ? [] : ['a deletion']
  const statuses: readonly ShownReport[] = JSON.parse(reported.text).items
  const stored = new Map(statuses.map((status) => [status.adapter, status]))
  return [
    ...(resource.generation === generation
      ? []
      : [`generation ${resource.generation} instead of ${generation}`]),
    ...[...target.reports].flatMap(([adapter, acknowledged]) =>
      isSame(stored.get(adapter), acknowledged) ? [] : [`another report of ${adapter}`],
    ),
    ...(conditionsFollow(resource, statuses) ? [] : ['conditions that do not follow from reports']),
  ]
}

function isSame(stored: ShownReport | undefined, acknowledged: SentReport): boolean {
  return (
    stored?.data?.sequence === acknowledged.data.sequence &&
    stored?.observed_generation === acknowledged.observed_generation
  )
}

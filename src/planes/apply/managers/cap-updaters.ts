import { compareText } from '../../../lib/text/compare-text.ts'
import { union } from '../fields/field-set.ts'
import { type Manager, managerKey, type Managers } from './manager.ts'
import { secondsOf } from './managed-fields.ts'

/** Maximum number of managers with the operation Update. */
export const MAX_UPDATERS = 10

const MERGED_NAME = 'ancient-changes'

/** Merges the oldest updaters of each API version into one if there are too many. */
export function capUpdaters(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update')
  if (updaters.length <= MAX_UPDATERS) return managers
  const capped = new Map(managers)
  const firsts = new Map<string, string>()
  let count = updaters.length
  for (const [key, manager] of updaters.toSorted(byAge)) {
    if (count <= MAX_UPDATERS) break
    const first = firsts.get(manager.apiVersion)
    if (first === undefined) firsts.set(manager.apiVersion, key)
    else {
      mergeInto(capped, { first, key, manager })
      count -= 1
    }
  }
  return capped
}

interface Merge {
  /** Key of the oldest manager of the API version. */
  readonly first: string
  readonly key: string
  readonly manager: Manager
}

function mergeInto(managers: Map<string, Manager>, { first, key, manager }: Merge): void {
  const { apiVersion, time } = manager
  const id = { manager: MERGED_NAME, operation: 'Update', apiVersion, subresource: '' } as const
  const bucketKey = managerKey(id)
  const bucket = managers.get(bucketKey) ?? managers.get(first)
  if (bucket === undefined) return
  if (!managers.has(bucketKey)) managers.delete(first)
  managers.delete(key)
  const fields = union(manager.fields, bucket.fields)
  managers.set(bucketKey, { ...id, fields, time, entry: null })
}

function byAge([oneKey, one]: [string, Manager], [otherKey, other]: [string, Manager]): number {
  return secondsOf(one.time) - secondsOf(other.time) || compareText(oneKey, otherKey)
}

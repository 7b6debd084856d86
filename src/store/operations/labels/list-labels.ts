import { compareText } from '../../../lib/text/compare-text.ts'
import type { TenantScope } from '../../../access/tenant.ts'
import { isStorableText } from '../../database/storable-text.ts'
import {
  isSampledCompletely,
  sampleLabelKeys,
  sampleLabelValues,
} from '../../labels/sample-labels.ts'
import { readTotal } from '../../resources/list/resource-total.ts'
import type { Context } from '../context.ts'

interface Query {
  readonly kinds: readonly string[]
  readonly tenant: TenantScope
  /** The label whose values are listed; null to list keys. */
  readonly key: string | null
  readonly prefix: string
  readonly limit: number
}

/** Label keys or values, sorted. */
export interface LabelPage {
  readonly items: readonly string[]
  /** Whether there may be more. */
  readonly isTruncated: boolean
}

/** Lists the label keys, or the values of a label, that resources of these kinds have. */
export async function listLabels(
  { database }: Pick<Context, 'database'>,
  { key, limit, ...query }: Query,
): Promise<LabelPage> {
  const { kinds, tenant } = query
  const isPossible = isStorableText(query.prefix) && isStorableText(key ?? '')
  if (kinds.length === 0 || !isPossible) return { items: [], isTruncated: false }
  const wanted = { ...query, limit: limit + 1 }
  const found = await (key === null
    ? sampleLabelKeys(database, wanted)
    : sampleLabelValues(database, key, wanted))
  const total = await readTotal(database, { kinds, ownerId: null, tenant })
  return {
    items: found.slice(0, limit).toSorted(compareText),
    isTruncated: found.length > limit || !isSampledCompletely(total, kinds.length),
  }
}

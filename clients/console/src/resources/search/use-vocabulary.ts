import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { KindDescription } from '../../../../typescript/src/generated/hyperfleet.ts'
import { conditionType } from '../../../../typescript/src/readiness/condition-type.ts'
import { client } from '../../session/connection.ts'
import { labelKeyOf } from './search-option.ts'
import type { SearchVocabulary } from './search-options.ts'
import type { SearchPlace } from './search-place.ts'

const LIMIT = 50
const STALE_MS = 60_000
const CONDITIONS = ['Ready', 'Available', 'Reconciled']

/** The words that completion offers at a place. They come from the server while the field is used. */
export function useVocabulary(
  description: KindDescription | undefined,
  place: SearchPlace,
  isActive: boolean,
): SearchVocabulary {
  const kind = description?.kind
  const key = place.expects === 'value' ? labelKeyOf(place.field) : null
  const prefix = key === null ? '' : place.prefix.replace(/^'/, '').replaceAll("''", "'")
  const keys = useQuery({
    queryKey: ['label-keys', kind],
    staleTime: STALE_MS,
    enabled: isActive && kind !== undefined,
    queryFn: async ({ signal }) => (await client.labelKeys({ kind, limit: LIMIT, signal })).items,
  })
  const values = useQuery({
    queryKey: ['label-values', kind, key, prefix],
    staleTime: STALE_MS,
    enabled: isActive && kind !== undefined && key !== null,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const options = { kind, key: key ?? '', prefix, limit: LIMIT, signal }
      return (await client.labelValues(options)).items
    },
  })
  const adapters = description?.required_adapters ?? []
  return {
    labelKeys: keys.data ?? [],
    labelValues: (key === null ? null : values.data) ?? [],
    conditionTypes: [...CONDITIONS, ...adapters.map(conditionType)],
    hasParent: (description?.parent_kind ?? null) !== null,
  }
}

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { explainReadiness, type ReadinessExplanation } from '../../../../typescript/src/index.ts'
import { kindsQuery } from '../../data/kinds.ts'
import { useNow } from '../../design/hooks/use-now.ts'
import { requiredAdapters } from '../../resources/required-adapters.ts'
import { client } from '../../session/connection.ts'
import type { KindResource } from '../data/kind-resource.ts'
import { reportsQuery } from '../data/resource-query.ts'
import { type AdapterRow, adapterRows } from './adapter-row.ts'

interface Readiness extends ReadinessExplanation {
  readonly rows: readonly AdapterRow[]
}

/** Explains the readiness of a resource; undefined while the reports are loading. */
export function useReadiness(resource: KindResource): Readiness | undefined {
  const { data: kinds } = useQuery(kindsQuery)
  const { data: reports } = useQuery(reportsQuery(resource.id))
  const now = useNow()
  return useMemo(() => {
    if (kinds === undefined || reports === undefined) return undefined
    const kind = kinds.find((one) => one.kind === resource.kind)
    const required = requiredAdapters(resource, kind)
    const others = reports.map(({ adapter }) => adapter).filter((name) => !required.includes(name))
    const explain = (adapters: readonly string[]) =>
      explainReadiness({
        resource,
        statuses: reports,
        requiredAdapters: adapters,
        now: serverTime(now),
      })
    const explanation = explain(required)
    const rows = adapterRows({
      required: explanation.requirements,
      others: explain(others).requirements,
      reports,
    })
    return { ...explanation, rows }
  }, [resource, kinds, reports, now])
}

/** The sentence has ages, so it follows the clock of the page, corrected by that of the server. */
function serverTime(now: number): Date {
  return new Date(now + client.serverTime().getTime() - Date.now())
}

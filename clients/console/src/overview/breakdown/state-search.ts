import type { BreakdownRow } from '../../../../typescript/src/generated/hyperfleet.ts'
import { conditionType } from '../../../../typescript/src/readiness/condition-type.ts'

/** The search for resources that are not ready. */
export const NOT_READY = "status.conditions.Ready='False'"

/** The adapters whose reports decide about readiness: those of the kind, and of single resources. */
export function decidingAdapters(
  required: readonly string[],
  items: readonly Pick<BreakdownRow, 'values'>[] = [],
): readonly string[] {
  const found = items.map(({ values }) => values['adapter'] ?? null)
  return [...new Set([...required, ...found])].filter((adapter) => adapter !== null)
}

/** The search for resources of which an adapter reports a failure of the current spec. */
export function failingSearch(adapters: readonly string[]): string {
  return adapters.length === 0 ? NOT_READY : `${NOT_READY} and (${failures(adapters)})`
}

/** The search for resources that are not ready although no adapter reports a failure. */
export function waitingSearch(adapters: readonly string[]): string {
  return adapters.length === 0 ? NOT_READY : `${NOT_READY} and not (${failures(adapters)})`
}

function failures(adapters: readonly string[]): string {
  return adapters
    .map((adapter) => `status.conditions.${conditionType(adapter)}`)
    .map((field) => `(${field}='False' and ${field}.observed_generation = generation)`)
    .join(' or ')
}

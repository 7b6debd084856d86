import type { Outcome, TimelineEntry } from './timeline-entry.ts'

/** The outcomes of requests. */
export const OUTCOMES: readonly Outcome[] = ['succeeded', 'denied', 'failed', 'unknown', 'lost']

/** The filters of a timeline, as its address has them. */
export interface TimelineFilter {
  /** The beginning of a user name. */
  readonly who?: string
  /** The beginning of a name; or an ID, a plural or a verb. */
  readonly what?: string
  /** A plane, a namespace or the address of a client. */
  readonly where?: string
  readonly outcome?: Outcome
}

/** Reads the address of a timeline. Unknown parameters are ignored. */
export function readTimelineFilter(search: Readonly<Record<string, unknown>>): TimelineFilter {
  const outcome = OUTCOMES.find((one) => one === search['outcome'])
  return {
    ...texts(search, 'who'),
    ...texts(search, 'what'),
    ...texts(search, 'where'),
    ...(outcome !== undefined && { outcome }),
  }
}

/** Numbers in an address, such as a name of digits, are texts too. */
function texts(search: Readonly<Record<string, unknown>>, key: 'who' | 'what' | 'where') {
  const value = search[key]
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? { [key]: text.trim() } : {}
}

/**
 * The search of the audit log in TSL; empty for all events. `plane` is the ID of the cluster that
 * `where` names, or null.
 */
export function auditSearch(
  { who, what, where, outcome }: TimelineFilter,
  plane: string | null = null,
): string {
  const clauses = [
    who === undefined ? [] : [starts('user', who), starts('impersonated_user', who)],
    what === undefined ? [] : whatClauses(what),
    where === undefined
      ? []
      : [
          ...['plane', 'namespace', 'source_address'].map((field) => is(field, where)),
          ...(plane === null || plane === where ? [] : [is('plane', plane)]),
        ],
    outcome === undefined ? [] : [is('outcome', outcome)],
  ]
  return clauses
    .filter((alternatives) => alternatives.length > 0)
    .map((alternatives) =>
      alternatives.length > 1 ? `(${alternatives.join(' or ')})` : alternatives[0],
    )
    .join(' and ')
}

/** The forms of IDs, also of those that HyperFleet assigned: 32 characters, or a UUID. */
const ID =
  /^(2[0-9A-Za-z]{26}|[0-9a-v]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

function whatClauses(what: string): readonly string[] {
  // An ID alone uses the index of the log by resource.
  if (ID.test(what)) return [is('resource_id', what)]
  return [
    starts('name', what),
    ...['resource_id', 'resource', 'verb'].map((name) => is(name, what)),
  ]
}

/** Whether an entry of another log matches, by the rules of `auditSearch`. */
export function matchesFilter(
  { who: user, names, places, outcome: result }: TimelineEntry,
  { who, what, where, outcome }: TimelineFilter,
): boolean {
  return (
    (who === undefined || user.startsWith(who)) &&
    (what === undefined || names.includes(what) || names[0]?.startsWith(what) === true) &&
    (where === undefined || places.includes(where)) &&
    (outcome === undefined || result === outcome)
  )
}

/** The words of a filter in events, which have the ID of their plane and the kind of their object. */
interface EventWords {
  /** The ID of the cluster that `where` names, or null. */
  readonly plane: string | null
  /** The kind whose plural is `what`, or null. */
  readonly kind: string | null
}

/** Whether an event of a plane matches. */
export function matchesEvent(
  entry: TimelineEntry,
  filter: TimelineFilter,
  { plane, kind }: EventWords,
): boolean {
  const ofPlane = plane === null ? filter : { ...filter, where: plane }
  return (
    matchesFilter(entry, ofPlane) ||
    (kind !== null && matchesFilter(entry, { ...ofPlane, what: kind }))
  )
}

/** A condition on a member of audit events. */
export function is(field: string, value: string): string {
  return `${field} = '${quoted(value)}'`
}

function starts(field: string, value: string): string {
  return `${field} like '${quoted(value.replaceAll(/[\\%_]/g, String.raw`\$&`))}%'`
}

function quoted(text: string): string {
  return text.replaceAll("'", "''")
}

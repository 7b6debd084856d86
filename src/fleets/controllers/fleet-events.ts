import type { FleetState } from './fleet-conditions.ts'
import { fleetConditions } from './fleet-conditions.ts'
import type { Tally } from './run-step.ts'

/** An event about a fleet. */
export interface FleetEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

const TALLIED: readonly {
  readonly count: keyof Tally
  readonly type: FleetEvent['type']
  readonly reason: string
  readonly describe: (members: string) => string
}[] = [
  {
    count: 'created',
    type: 'Normal',
    reason: 'MembersCreated',
    describe: (members) => `Created ${members}`,
  },
  {
    count: 'adopted',
    type: 'Normal',
    reason: 'MembersAdopted',
    describe: (members) => `Adopted ${members}`,
  },
  {
    count: 'deleted',
    type: 'Normal',
    reason: 'MembersDeleted',
    describe: (members) => `Deleted ${members}`,
  },
  {
    count: 'orphaned',
    type: 'Normal',
    reason: 'MembersOrphaned',
    describe: (members) => `Released ${members}, whose clusters remain`,
  },
  {
    count: 'replaced',
    type: 'Normal',
    reason: 'MembersReplaced',
    describe: (members) => `Replaced ${members} with older content`,
  },
  {
    count: 'reset',
    type: 'Normal',
    reason: 'MembersReset',
    describe: (members) => `Reset ${members} to the initial content`,
  },
  {
    count: 'expired',
    type: 'Warning',
    reason: 'ClaimsExpired',
    describe: (members) => `The claims of ${members} have expired`,
  },
]

/** One event for each kind of change of a reconciliation. */
export function tallyEvents(tally: Tally): readonly FleetEvent[] {
  return TALLIED.filter(({ count }) => tally[count] > 0).map(
    ({ count, type, reason, describe }) => {
      const number = tally[count]
      return { type, reason, message: describe(number === 1 ? '1 member' : `${number} members`) }
    },
  )
}

/** The event of a degraded fleet; null if it works. */
export function degradedEvent(state: FleetState): FleetEvent | null {
  const condition = fleetConditions(state).find(({ type }) => type === 'Degraded')
  if (condition?.status !== 'True') return null
  return { type: 'Warning', reason: condition.reason, message: condition.message }
}

/** The event of a fleet whose time to live has ended. */
export function expiryEvent(ttlSeconds: number, from: string): FleetEvent {
  return {
    type: 'Normal',
    reason: 'TTLExpired',
    message: `The time to live of ${ttlSeconds} s from ${from} has ended; the fleet is deleted`,
  }
}

import { expect, test } from 'vitest'
import type { ResourceChange } from '../../model/change.ts'
import { testResource } from '../../model/fixtures.ts'
import { WEBHOOK_EVENTS } from '../../model/webhook.ts'
import { TRUE } from '../../search/bind/predicate.ts'
import { planEvents, type Subscription } from './plan-events.ts'

const TIME = new Date('2026-01-01T00:00:00Z')
const MIB = 1024 * 1024

function creation(revision: bigint): ResourceChange {
  const resource = testResource(`r${revision}`)
  return { subject: 'resource', type: 'ADDED', revision, before: null, resource }
}

function subscription(id: string, sinceRevision: bigint): Subscription {
  return {
    webhook: {
      id,
      tenant: '',
      url: 'https://hooks.example.com/',
      description: '',
      kinds: [],
      search: '',
      events: WEBHOOK_EVENTS,
      state: 'active',
      disabledReason: '',
      previousSecretUntil: null,
      createdTime: TIME,
      updatedTime: TIME,
      createdBy: 'a',
      updatedBy: 'a',
    },
    since: { epoch: 'e', revision: sinceRevision },
    isOverflowing: false,
    filter: { predicates: new Map([['Cluster', TRUE]]) },
  }
}

interface Case {
  readonly webhooks: number
  /** Characters of each event, by the revision of its change from 1. */
  readonly sizes: readonly number[]
  /** Webhooks that receive only changes after this revision. */
  readonly after?: bigint
}

/** The revisions whose events were planned, their number, and the result. */
function plan({ webhooks, sizes, after = 0n }: Case) {
  const all = Array.from({ length: webhooks }, (_, index) => subscription(`w${index}`, after))
  const { events, end, split } = planEvents({
    epoch: 'e',
    changes: sizes.map((_, index) => creation(BigInt(index + 1))),
    subscriptions: new Map([['', all]]),
    render: ({ id }) => JSON.stringify('x'.repeat(sizes[Number(id.slice(1)) - 1] ?? 0)),
    now: TIME,
  })
  return { count: events.length, end, split }
}

test('the events of all changes are planned if they fit', () => {
  expect(plan({ webhooks: 3, sizes: [10, 20] })).toEqual({ count: 6, end: 2n, split: null })
  expect(plan({ webhooks: 0, sizes: [MIB, MIB] })).toEqual({ count: 0, end: 2n, split: null })
})

test('a change whose events do not fit any more waits for the next statement', () => {
  expect(plan({ webhooks: 3, sizes: [MIB, MIB, MIB] })).toEqual({ count: 6, end: 2n, split: null })
  expect(plan({ webhooks: 3000, sizes: [1, 1] })).toEqual({ count: 3000, end: 1n, split: null })
})

test('a change whose events alone do not fit is split', () => {
  const webhookIds = Array.from({ length: 7 }, (_, index) => `w${index}`)
  expect(plan({ webhooks: 20, sizes: [MIB] })).toEqual({
    count: 7,
    end: null,
    split: { revision: 1n, webhookIds },
  })
  const { count, split } = plan({ webhooks: 6000, sizes: [1] })
  expect([count, split?.webhookIds.length]).toEqual([5000, 5000])
  // An event that is larger than a statement should be is sent alone.
  expect(plan({ webhooks: 2, sizes: [9 * MIB] }).split?.webhookIds).toEqual(['w0'])
})

test('the changes before a split one are complete', () => {
  const result = plan({ webhooks: 20, sizes: [MIB, MIB], after: 1n })
  expect(result).toMatchObject({ count: 7, end: 1n, split: { revision: 2n } })
})

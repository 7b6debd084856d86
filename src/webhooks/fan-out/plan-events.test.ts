import { expect, test } from 'vitest'
import type { ResourceChange } from '../../store/model/change.ts'
import { testResource } from '../../store/model/fixtures.ts'
import { WEBHOOK_EVENTS } from '../../store/model/webhook.ts'
import { TRUE } from '../../store/search/bind/predicate.ts'
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
      urlProblem: '',
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
    hasKind: () => true,
    unmatchable: 'end',
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

/** Three changes of clusters; this server lacks the kind, or the filter of one webhook. */
function planUnmatchable(unmatchable: 'end' | 'resync', isKnown: (revision: bigint) => boolean) {
  const changes = [1n, 2n, 3n].map((revision) => {
    const { resource, ...change } = creation(revision)
    return { ...change, resource: { ...resource, kind: isKnown(revision) ? 'Cluster' : 'Shelf' } }
  })
  const named = subscription('named', 0n)
  const { events, ...result } = planEvents({
    epoch: 'e',
    changes,
    subscriptions: new Map([
      [
        '',
        [
          subscription('all', 0n),
          { ...named, webhook: { ...named.webhook, kinds: ['Cluster'] } },
          subscription('new', 3n),
        ],
      ],
    ]),
    hasKind: (kind) => kind === 'Cluster',
    unmatchable,
    render: () => '{}',
    now: TIME,
  })
  return { ...result, events: events.map(({ webhookId, type }) => `${webhookId} ${type}`) }
}

test('the plan ends before a change of a kind that this server lacks', () => {
  expect(planUnmatchable('end', (revision) => revision === 1n)).toMatchObject({
    events: ['all cluster.created', 'named cluster.created'],
    end: 1n,
    isUnmatchable: true,
  })
})

test('webhooks that may select changes of a kind that this server lacks receive one resync', () => {
  expect(planUnmatchable('resync', (revision) => revision === 2n)).toMatchObject({
    events: ['all webhook.resync', 'all cluster.created', 'named cluster.created'],
    end: 3n,
    isUnmatchable: false,
    resynced: new Set(['all']),
  })
})

test('a webhook whose search does not fit this server receives a resync of its kinds only', () => {
  const broken = { ...subscription('broken', 0n), filter: null }
  const planOf = (kinds: readonly string[]) =>
    planEvents({
      epoch: 'e',
      changes: [creation(1n)],
      subscriptions: new Map([['', [{ ...broken, webhook: { ...broken.webhook, kinds } }]]]),
      hasKind: () => true,
      unmatchable: 'resync',
      render: () => '{}',
      now: TIME,
    }).events.map(({ type }) => type)
  expect([planOf(['Cluster']), planOf(['NodePool'])]).toEqual([['webhook.resync'], []])
})

test('the changes before a split one are complete', () => {
  const result = plan({ webhooks: 20, sizes: [MIB, MIB], after: 1n })
  expect(result).toMatchObject({ count: 7, end: 1n, split: { revision: 2n } })
})

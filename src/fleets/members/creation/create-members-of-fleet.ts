import type { Claim } from '../../../store/model/member.ts'
import type { WriteGuard } from '../../../store/objects/model/write-guard.ts'
import { createMany, type WriteSeeds } from '../../../store/operations/bulk/create-many.ts'
import type { CreatedTree, TreeCreation } from '../../../store/operations/bulk/tree-creation.ts'
import { insertMembers } from '../../../store/members/insert-members.ts'
import type { Database } from '../../../store/database/database.ts'
import { translateDatabaseError } from '../../../store/database/translate-database-error.ts'
import { chunksOf } from '../../../lib/chunks-of.ts'
import { assert, must } from '../../../lib/assert.ts'
import { FlotillaError } from '../../../lib/errors.ts'
import type { CompiledSeed } from '../../../planes/seeding/compiled-seed.ts'
import { type Fleet, indexInFleet } from '../../model/fleet.ts'
import type { CreationResult } from '../fleet-members.ts'
import { CLAIMED_BY, type MemberParts } from './member-parts.ts'
import { instantiateSeeds } from './member-seeds.ts'
import { membersPerWrite } from './members-per-write.ts'
import { planMember } from './plan-member.ts'
import type { FleetContent } from '../../model/member-content.ts'

/** New members of a fleet. */
export interface Creation {
  readonly fleet: Fleet
  readonly content: FleetContent
  readonly names: readonly string[]
  readonly guards: readonly WriteGuard[]
  readonly user: string
  /** The holder of the claims. */
  readonly holder?: string
  /** The claim of a new member, by the ID of its cluster; null for available members. */
  readonly claimOf?: (id: string) => Claim & { readonly leaseSeconds: number | null }
}

/** The result of a member, and the cluster of a created one. */
export interface Created extends CreationResult {
  readonly id: string | null
  /** The error of a member that would exceed a limit of its tenant. */
  readonly limit?: FlotillaError
}

interface Planned {
  readonly name: string
  readonly tree: TreeCreation
}

/** Thrown to roll back a transaction in which some members are invalid. */
class InvalidMembers extends Error {
  readonly messages: ReadonlyMap<string, string>

  constructor(messages: ReadonlyMap<string, string>) {
    super('members are invalid')
    this.messages = messages
  }
}

/**
 * Creates members with their node pools and the objects of their planes, in one transaction unless
 * the objects are large. A member that cannot be created does not affect the others.
 */
export async function createMembersOfFleet(
  parts: MemberParts,
  creation: Creation,
): Promise<readonly Created[]> {
  const { names, content, fleet } = creation
  const [first] = names
  if (first === undefined) return []
  const sample = { name: first, index: indexInFleet(fleet, first) ?? 0 }
  const seed = await parts.seeds.compile(content, sample)
  if ('message' in seed) return names.map((name) => failed(name, seed.message))
  const results = new Map<string, Created>()
  const planned = names.flatMap((name) => {
    const plan = planOf(parts, creation, name)
    if (!('result' in plan)) return [plan]
    results.set(name, plan)
    return []
  })
  for (const chunk of chunksOf(planned, () => 1, membersPerWrite(content.content))) {
    for (const result of await createValid(parts, { creation, seed }, chunk)) {
      results.set(result.name, result)
    }
  }
  return names.map((name) => must(results.get(name), `the result of ${name}`))
}

function planOf(
  parts: MemberParts,
  { fleet, content, user, holder }: Creation,
  name: string,
): Planned | Created {
  const index = indexInFleet(fleet, name)
  if (index === null) return failed(name, `The fleet does not have a member named '${name}'`)
  try {
    const { name: fleetName, requiredAdapters } = fleet
    const plan = { fleet: fleetName, content: content.content, requiredAdapters, user }
    const { root, children } = planMember(parts, plan, { name, index })
    const annotations = holder === undefined ? {} : { [CLAIMED_BY]: holder }
    return { name, tree: { root: { ...root, annotations }, children } }
  } catch (error) {
    if (!(error instanceof FlotillaError) || error.reason !== 'invalid') throw error
    return failed(name, messageOf(error))
  }
}

interface Work {
  readonly creation: Creation
  readonly seed: CompiledSeed
}

/** Creates the members that are valid, once more without those whose objects are invalid. */
async function createValid(
  parts: MemberParts,
  work: Work,
  planned: readonly Planned[],
): Promise<readonly Created[]> {
  if (planned.length === 0) return []
  try {
    return await createAll(parts, work, planned)
  } catch (error) {
    const failure = translateDatabaseError(error)
    if (failure instanceof FlotillaError && failure.reason === 'limit-reached') {
      return createFirst(parts, work, { planned, limit: failure })
    }
    if (!(error instanceof InvalidMembers)) throw error
    const { messages } = error
    const valid = planned.filter(({ name }) => !messages.has(name))
    assert(valid.length < planned.length, 'a member is invalid')
    const created = await createValid(parts, work, valid)
    return [...created, ...[...messages].map(([name, message]) => failed(name, message))]
  }
}

/** Creates as many members as the limit of the tenant allows, in the order of their names. */
async function createFirst(
  parts: MemberParts,
  work: Work,
  { planned, limit }: { readonly planned: readonly Planned[]; readonly limit: FlotillaError },
): Promise<readonly Created[]> {
  const half = Math.floor(planned.length / 2)
  const rest = planned.slice(half)
  const first = await createValid(parts, work, planned.slice(0, half))
  const reached = half === 0 ? limit : first.find((created) => created.limit)?.limit
  if (!reached) return [...first, ...(await createValid(parts, work, rest))]
  const rejected = rest.map(({ name }) => ({ ...failed(name, reached.message), limit: reached }))
  return [...first, ...rejected]
}

async function createAll(
  parts: MemberParts,
  work: Work,
  planned: readonly Planned[],
): Promise<readonly Created[]> {
  const outcome = await createMany(
    parts.context,
    planned.map(({ tree }) => tree),
    {
      atomic: false,
      guards: work.creation.guards,
      seed: (trees) => prepareMembers(parts, work, trees),
    },
  )
  assert('outcomes' in outcome, 'the call has no idempotency key')
  if (work.seed.objects.length > 0) parts.store().notifyWrite()
  return outcome.outcomes.map((tree, position) => {
    const { name } = must(planned[position], 'a planned member')
    if (tree.status === 'created') {
      return { name, result: 'created', message: '', id: tree.root.id }
    }
    const error = tree.status === 'failed' ? tree.error : null
    if (error?.reason === 'already-exists') {
      return { name, result: 'conflict', message: error.message, id: null }
    }
    return failed(name, error?.message ?? 'The member was not created')
  })
}

/** Instantiates the objects of new members. The result writes them with the rows of the members. */
async function prepareMembers(
  { store }: MemberParts,
  { creation, seed }: Work,
  trees: readonly CreatedTree[],
): Promise<WriteSeeds> {
  const { fleet } = creation
  const members = trees.map(({ root: { id, name, createdTime } }) => {
    return { plane: id, createdTime, name, index: indexInFleet(fleet, name) ?? 0 }
  })
  const { seeds, invalid } = await instantiateSeeds(seed, members)
  return async (database, created) => {
    const messages = created.flatMap(({ root: { id, name } }) => {
      const message = invalid.get(id)
      return message === undefined ? [] : [[name, message] as const]
    })
    if (messages.length > 0) throw new InvalidMembers(new Map(messages))
    await insertRows(database, creation, created)
    if (seed.objects.length === 0) return
    const isCreated = new Set(created.map(({ root: { id } }) => id))
    await store().seedPlanes(
      database,
      seeds.filter(({ plane }) => isCreated.has(plane)),
    )
  }
}

async function insertRows(
  database: Database,
  { fleet, content: { template }, claimOf }: Creation,
  created: readonly CreatedTree[],
): Promise<void> {
  const [first] = created
  if (!first) return
  const group = { uid: fleet.uid, name: fleet.name }
  const rows = created.map(({ root: { id } }) => {
    return { resourceId: id, group, template, claim: claimOf?.(id) ?? null }
  })
  await insertMembers(database, rows, first.root.createdTime)
}

function failed(name: string, message: string): Created {
  return { name, result: 'failed', message, id: null }
}

function messageOf({ message, causes }: FlotillaError): string {
  const [cause] = causes
  return cause ? `${message}: ${cause.field}: ${cause.message}` : message
}

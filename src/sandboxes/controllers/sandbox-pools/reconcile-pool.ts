import { chunksOf, isJsonObject, isSameJson } from 'flotilla'
import {
  type DecidedCondition,
  isConflict,
  isObjectNotFound,
  type ObjectName,
  type PlaneClient,
  readOrNull,
  timedConditions,
} from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { SANDBOXES } from '../snapshot-claims/snapshot-resources.ts'
import { controllerOf, ownerReference } from './controlled-sandbox.ts'
import { nameHash } from './name-hash.ts'
import { planPool, type PoolPlan } from './plan-pool.ts'
import { POOL_LABEL, POOLS, TEMPLATE_HASH_LABEL, TEMPLATES } from './pool-resources.ts'
import { sandboxFromTemplate } from './sandbox-manifest.ts'
import { type SandboxTemplate, sandboxTemplateOf } from './sandbox-template.ts'
import { type WarmPool, warmPoolOf } from './warm-pool.ts'

/** Writes at the same time. */
const BATCH = 16
/** Leaves space for the digits in a DNS label. */
const MAX_PREFIX = 54

interface Parts {
  readonly client: PlaneClient
  readonly now: Date
  readonly randomDigits: (length: number) => string
}

/**
 * Creates and deletes the sandboxes that wait in a pool, and reports them. Returns the time of the
 * next check; null if only changes need one.
 */
export async function reconcilePool(parts: Parts, name: ObjectName): Promise<Date | null> {
  const { client, now } = parts
  const object = await readOrNull(client, POOLS, name)
  if (!object || object.metadata.deletionTimestamp !== undefined) return null
  const pool = warmPoolOf(object)
  const { namespace, templateName } = pool
  const found = await readOrNull(client, TEMPLATES, { namespace, name: templateName })
  const template = found && sandboxTemplateOf(found)
  const members = await listMembers(client, pool)
  const plan = planPool({ pool, members, templateHash: template?.hash ?? null, now })
  await inBatches(plan.remove, (sandbox) => removeMember(client, sandbox))
  if (template) await createMembers(parts, pool, { template, count: plan.create })
  await writeStatus(parts, pool, { template, plan })
  return plan.checkAt
}

/** A sandbox leaves the pool when a claim takes control of it. */
async function listMembers(client: PlaneClient, pool: WarmPool): Promise<readonly ApiObject[]> {
  const { namespace, selector, uid } = pool
  const members: ApiObject[] = []
  for await (const { items } of client.pages(SANDBOXES, { namespace, labelSelector: selector })) {
    members.push(...items.filter((sandbox) => controllerOf(sandbox)?.uid === uid))
  }
  return members
}

/** The precondition keeps a sandbox that a claim has adopted meanwhile. */
async function removeMember(client: PlaneClient, { metadata }: ApiObject): Promise<void> {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata
  try {
    const preconditions = { uid, resourceVersion }
    await client.delete(SANDBOXES, { namespace, name }, { preconditions })
  } catch (error) {
    if (!isConflict(error) && !isObjectNotFound(error, name)) throw error
  }
}

async function createMembers(
  { client, randomDigits }: Parts,
  pool: WarmPool,
  { template, count }: { readonly template: SandboxTemplate; readonly count: number },
): Promise<void> {
  const manifests = Array.from({ length: count }, () =>
    sandboxFromTemplate(template, {
      namespace: pool.namespace,
      name: `${pool.name.slice(0, MAX_PREFIX)}-${randomDigits(8)}`,
      owner: ownerReference('SandboxWarmPool', pool.object),
      launch: 'warm',
      labels: { [POOL_LABEL]: nameHash(pool.name), [TEMPLATE_HASH_LABEL]: template.hash },
      podMetadata: template.podMetadata,
    }),
  )
  await inBatches(manifests, (sandbox) => client.create(SANDBOXES, sandbox))
}

async function inBatches<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (const batch of chunksOf(items, () => 1, BATCH)) await Promise.all(batch.map(run))
}

async function writeStatus(
  { client, now }: Parts,
  pool: WarmPool,
  { template, plan }: { readonly template: SandboxTemplate | null; readonly plan: PoolPlan },
): Promise<void> {
  const { object, selector } = pool
  const { generation = 0 } = object.metadata
  const before = isJsonObject(object['status']) ? object['status'] : {}
  const condition = readyCondition(pool, template, plan)
  const status = {
    replicas: plan.replicas + plan.create,
    readyReplicas: plan.readyReplicas,
    selector,
    observedGeneration: generation,
    conditions: [...timedConditions(before['conditions'], [condition], { now, generation })],
  }
  if (isSameJson(before, status)) return
  await client.updateSubresource(POOLS, 'status', { ...object, status })
}

function readyCondition(
  { replicas, templateName }: WarmPool,
  template: SandboxTemplate | null,
  { readyReplicas }: PoolPlan,
): DecidedCondition {
  if (!template) {
    const message = `SandboxTemplate "${templateName}" not found`
    return { type: 'Ready', status: 'False', reason: 'TemplateNotFound', message }
  }
  const message = `${readyReplicas} of ${replicas} sandboxes are ready`
  return readyReplicas >= replicas
    ? { type: 'Ready', status: 'True', reason: 'SandboxesReady', message }
    : { type: 'Ready', status: 'False', reason: 'SandboxesNotReady', message }
}

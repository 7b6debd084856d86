import { unreachable } from '../../src/lib/assert.ts'
import { NO_OWNER, type Resource } from '../../src/store/model/resource.ts'
import { NO_TENANT } from '../../src/access/tenant.ts'
import { initialConditions } from '../../src/hyperfleet/statuses/conditions/synthesis/initial-conditions.ts'
import { insertResource } from '../../src/store/resources/insert/insert-resource.ts'
import { listByCreation } from '../../src/store/resources/list/list-by-creation.ts'
import { readForReport } from '../../src/hyperfleet/statuses/storage/read-for-report.ts'
import { readResources } from '../../src/store/resources/read-resources.ts'
import { touchReport } from '../../src/hyperfleet/statuses/storage/touch-report.ts'
import { clusterOf } from '../data/cluster.ts'
import type { Dataset } from '../data/dataset.ts'
import { sampleStatus } from '../data/stored-state.ts'
import { captureStatements } from './capture-statements.ts'
import { type PgbenchScript, pgbenchScript } from './pgbench-script.ts'

/** The operations that have a pgbench baseline. */
export type BaselineOperation = 'get' | 'list' | 'create' | 'report-same'

const KIND = 'Cluster'
const ID = '<id>'
const NAME = '<name>'
const ADAPTER = 'dns'
const REVISION = -1

/** SQL for the id of the cluster whose number is in the pgbench variable n. */
const ANY_ID = "('2' || lpad((:n)::text, 26, '0'))"
/** SQL for the suffix of a new id: i counts transactions, and run differs between pgbench processes. */
const NEW_SUFFIX = "(:run)::text || lpad((:client_id)::text, 5, '0') || lpad((:i)::text, 8, '0')"

/** A pgbench script with the statements that the storage layer sends for an operation. */
export function baselineScript(
  operation: BaselineOperation,
  dataset: Dataset,
): Promise<PgbenchScript> {
  switch (operation) {
    case 'get':
      return getScript(dataset)
    case 'list':
      return listScript()
    case 'create':
      return createScript(dataset)
    case 'report-same':
      return reportScript(dataset)
    default:
      return unreachable(operation)
  }
}

/** A get by a server that has not cached the cluster. */
async function getScript(dataset: Dataset): Promise<PgbenchScript> {
  const statements = await captureStatements((database) =>
    readResources(database, [{ id: ID, cachedVersion: null }]),
  )
  return pgbenchScript(statements, {
    setUp: [anyNumber(dataset)],
    replacements: new Map([[ID, ANY_ID]]),
  })
}

/** The first page of 20. */
async function listScript(): Promise<PgbenchScript> {
  const place = { tenant: null, kind: KIND, ownerId: null }
  const window = { limit: 21, offset: 0, after: null }
  const statements = await captureStatements((database) =>
    listByCreation(database, { ...place, direction: 'desc', ...window }),
  )
  return pgbenchScript(statements, { setUp: [], replacements: new Map() })
}

async function createScript(dataset: Dataset): Promise<PgbenchScript> {
  const { labels, spec } = typicalCluster(dataset)
  const now = new Date()
  const resource: Resource = {
    id: ID,
    tenant: NO_TENANT,
    kind: KIND,
    name: NAME,
    ownerId: NO_OWNER,
    generation: 1,
    version: 1n,
    spec,
    labels,
    annotations: {},
    refs: {},
    conditions: initialConditions(now),
    requiredAdapters: null,
    createdTime: now,
    updatedTime: now,
    createdBy: 'pgbench@example.com',
    updatedBy: 'pgbench@example.com',
    deletedTime: null,
    deletedBy: null,
  }
  const statements = await captureStatements((database) => insertResource(database, resource, null))
  const replacements = new Map([
    [ID, `('2c' || ${NEW_SUFFIX})`],
    [NAME, `('pgbench-' || ${NEW_SUFFIX})`],
  ])
  return pgbenchScript(statements, { setUp: ['\\set i :i + 1'], replacements })
}

/**
 * A heartbeat: reads the reports, then updates only the row of the adapter. The update neither checks
 * nor increments the row version, because the measured server caches rows by it.
 */
async function reportScript(dataset: Dataset): Promise<PgbenchScript> {
  const status = sampleStatus(ADAPTER)
  const captured = await captureStatements(
    (database) => readForReport(database, { kind: KIND, id: ID }, ADAPTER),
    (database) => touchReport(database, { resource: { id: ID }, status, rowVersion: REVISION }),
  )
  const statements = captured.map(({ text, values }) => ({
    text: text.replace('revision = revision + 1', 'revision = revision'),
    values,
  }))
  const replacements = new Map<unknown, string>([
    [ID, ANY_ID],
    [REVISION, 'revision'],
  ])
  return pgbenchScript(statements, { setUp: [anyNumber(dataset)], replacements })
}

function anyNumber({ rows }: Dataset): string {
  return `\\set n random(1, ${rows})`
}

/** A cluster with a spec of the mean size of the dataset. */
function typicalCluster(dataset: Dataset): ReturnType<typeof clusterOf> {
  const [min, max] = dataset.specBytes
  const mean = min === max ? min : (max - min) / Math.log(max / min)
  return clusterOf({ ...dataset, specBytes: [mean, mean] }, 1)
}

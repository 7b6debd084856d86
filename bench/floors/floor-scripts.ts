import { unreachable } from '../../src/lib/assert.ts'
import { NO_OWNER, type Resource } from '../../src/core/model/resource.ts'
import { NO_TENANT } from '../../src/core/model/tenant.ts'
import { initialConditions } from '../../src/statuses/conditions/initial-conditions.ts'
import { insertResource } from '../../src/core/storage/resources/insert/insert-resource.ts'
import { listByCreation } from '../../src/core/storage/resources/list/list-by-creation.ts'
import { readForReport } from '../../src/statuses/storage/read-for-report.ts'
import { readResources } from '../../src/core/storage/resources/read-resources.ts'
import { touchReport } from '../../src/statuses/storage/touch-report.ts'
import { clusterOf } from '../data/cluster.ts'
import type { Dataset } from '../data/dataset.ts'
import { sampleStatus } from '../data/stored-state.ts'
import { captureStatements } from './captured-statement.ts'
import { type PgbenchScript, pgbenchScript } from './pgbench-script.ts'

/** The operations whose statements pgbench repeats. */
export type FloorOperation = 'get' | 'list' | 'create' | 'report-same'

const KIND = 'Cluster'
const ID = '<id>'
const NAME = '<name>'
const ADAPTER = 'dns'
const REVISION = -1

/** The id of a cluster of the dataset whose number is in the variable n. */
const ANY_ID = "('2' || lpad((:n)::text, 26, '0'))"
/** Of a cluster that is not there yet: i counts, and run differs from one call of pgbench to the next. */
const NEW_SUFFIX = "(:run)::text || lpad((:client_id)::text, 5, '0') || lpad((:i)::text, 8, '0')"

/** The SQL of the server itself, taken from its storage layer, with nothing around it. */
export function floorScript(operation: FloorOperation, dataset: Dataset): Promise<PgbenchScript> {
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

/** As a reader asks who has not seen the cluster before. */
async function getScript(dataset: Dataset): Promise<PgbenchScript> {
  const statements = await captureStatements((database) =>
    readResources(database, [{ id: ID, known: null }]),
  )
  return pgbenchScript(statements, {
    setUp: [anyNumber(dataset)],
    instead: new Map([[ID, ANY_ID]]),
  })
}

/** The first page of twenty. */
async function listScript(): Promise<PgbenchScript> {
  const place = { tenant: null, kind: KIND, ownerId: null }
  const window = { limit: 21, offset: 0 }
  const statements = await captureStatements((database) =>
    listByCreation(database, { ...place, direction: 'desc', ...window }),
  )
  return pgbenchScript(statements, { setUp: [], instead: new Map() })
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
    createdTime: now,
    updatedTime: now,
    createdBy: 'pgbench@example.com',
    updatedBy: 'pgbench@example.com',
    deletedTime: null,
    deletedBy: null,
  }
  const statements = await captureStatements((database) => insertResource(database, resource, null))
  const instead = new Map([
    [ID, `('2c' || ${NEW_SUFFIX})`],
    [NAME, `('pgbench-' || ${NEW_SUFFIX})`],
  ])
  return pgbenchScript(statements, { setUp: ['\\set i :i + 1'], instead })
}

/**
 * A heartbeat: read, and write the adapter's row alone. Whether it has changed is not asked, and the
 * row keeps its revision: the server that is measured in turn with this remembers its rows by it.
 */
async function reportScript(dataset: Dataset): Promise<PgbenchScript> {
  const status = sampleStatus(ADAPTER)
  const captured = await captureStatements(
    (database) => readForReport(database, { kind: KIND, id: ID }, ADAPTER),
    (database) => touchReport(database, ID, status, REVISION),
  )
  const statements = captured.map(({ text, values }) => ({
    text: text.replace('revision = revision + 1', 'revision = revision'),
    values,
  }))
  const instead = new Map<unknown, string>([
    [ID, ANY_ID],
    [REVISION, 'revision'],
  ])
  return pgbenchScript(statements, { setUp: [anyNumber(dataset)], instead })
}

function anyNumber({ rows }: Dataset): string {
  return `\\set n random(1, ${rows})`
}

/** A cluster with a spec of the size that the dataset's specs have on average. */
function typicalCluster(dataset: Dataset): ReturnType<typeof clusterOf> {
  const [least, most] = dataset.specBytes
  const mean = least === most ? least : (most - least) / Math.log(most / least)
  return clusterOf({ ...dataset, specBytes: [mean, mean] }, 1)
}

import pg from 'pg'
import { must } from '../../src/lib/assert.ts'
import { openFleetApi } from '../fleets/fleet-api.ts'
import type { FleetBench } from '../fleets/fleet-bench.ts'
import { openFleetWatch } from '../fleets/fleet-watch.ts'
import { measureClaims } from '../fleets/measure-claims.ts'
import { measureClusters } from '../fleets/measure-clusters.ts'
import { measureIdle } from '../fleets/measure-idle.ts'
import { measureLife } from '../fleets/measure-life.ts'
import { measureScale } from '../fleets/measure-scale.ts'
import { startServers } from '../servers/start-servers.ts'
import { type Bench, standardDataset } from './bench.ts'

/** A few clusters beside the fleets, by which the server is recognized. */
const ROWS = 100
/** Members are Ready when their plane answers, and are deleted without adapters. */
const ENV = {
  ROLE: 'all',
  HYPERFLEET_CLUSTER_ADAPTERS: '[]',
  HYPERFLEET_NODEPOOL_ADAPTERS: '[]',
}
const PARTS: Readonly<Record<string, (bench: FleetBench) => Promise<void>>> = {
  clusters: measureClusters,
  life: measureLife,
  scale: measureScale,
  claims: measureClaims,
  idle: measureIdle,
}

/** Fleets of up to 10 000 members: their creation, deletion, scaling, claims and idle cost. */
export async function measureFleets(bench: Bench): Promise<void> {
  const dataset = { ...standardDataset(bench.options), rows: ROWS }
  await using servers = await startServers(bench.sources.slice(0, 1), { dataset, env: ENV })
  const { target, databaseUrl } = must(servers.list[0], 'a server')
  await using api = openFleetApi(target, 1)
  using watch = await openFleetWatch(target)
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const fact: FleetBench['fact'] = (name, value, unit) => {
    bench.results.facts.push({ scenario: 'fleets', name, value, unit })
  }
  const isQuick = bench.options.quick
  try {
    for (const [name, measure] of Object.entries(PARTS)) {
      if (!name.includes(bench.options.only ?? '')) continue
      await measure({ target, isQuick, api, watch, database, fact })
    }
  } finally {
    await database.end()
  }
}

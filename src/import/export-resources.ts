import type { JsonObject } from '../lib/json/json.ts'
import { serializeAdapterStatus } from '../hyperfleet/wire/adapter-status.ts'
import { serializeResource, type WireOptions } from '../hyperfleet/wire/resource.ts'
import { reportTimeOf } from '../store/model/status-record.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import type { Database } from '../store/database/database.ts'
import { parentsFirst } from './import-resources.ts'
import type { SourceResource } from './source.ts'
import type { Existing } from './storage/read-existing.ts'
import { beginExport, readPage } from './storage/read-page.ts'

/**
 * Passes on all resources in the form of the API, with all reports on them as `statuses`: parents before
 * children, in the state of one moment. Returns their number.
 */
export function exportResources(
  database: Database,
  wire: WireOptions,
  write: (resource: SourceResource) => Promise<void>,
): Promise<number> {
  return database.transaction(async (transaction) => {
    await beginExport(transaction)
    let total = 0
    for await (const resource of resourcesOf(transaction, wire)) {
      await write(resource)
      total += 1
    }
    return total
  })
}

async function* resourcesOf(
  database: Database,
  wire: WireOptions,
): AsyncGenerator<SourceResource, void, undefined> {
  for (const kind of parentsFirst(wire.registry)) {
    for (let last = ''; ;) {
      const page = await readPage(database, kind.kind, last)
      const end = page.at(-1)
      if (end === undefined) break
      last = end.resource.id
      for (const each of page) yield exported(wire, kind, each)
    }
  }
}

function exported(
  wire: WireOptions,
  kind: RegisteredKind,
  { resource, records }: Existing,
): JsonObject {
  const times = records.map(reportTimeOf)
  const conditions = kind.statusHooks?.withReportTimes(resource, times) ?? resource.conditions
  return {
    ...serializeResource(wire, kind, { ...resource, conditions }),
    statuses: records.map(serializeAdapterStatus),
  }
}

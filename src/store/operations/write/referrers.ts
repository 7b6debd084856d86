import { FlotillaError } from '../../../lib/errors.ts'
import type { Registry } from '../../registry/registry.ts'
import type { Database } from '../../database/database.ts'
import { readReferrers } from '../../references/read-referrers.ts'
import type { ResourceWithReports } from '../../resources/resource-with-reports.ts'
import { MAX_NAMED, nameSome } from './name-some.ts'

/** A pattern `{type: [id]}` for each reference that other resources can have to these. */
export function referencePatterns(
  registry: Registry,
  resources: readonly ResourceWithReports[],
): readonly string[] {
  const rules = registry.kinds.flatMap(({ references }) => references)
  return resources.flatMap(({ resource }) => {
    const types = rules.filter(({ kind }) => kind === resource.kind).map(({ type }) => type)
    return [...new Set(types)].map((type) => JSON.stringify({ [type]: [resource.id] }))
  })
}

/** `state-conflict` if a resource outside the subtree refers to a resource in it. */
export async function rejectReferrers(
  database: Database,
  tree: readonly [ResourceWithReports, ...ResourceWithReports[]],
  patterns: readonly string[],
): Promise<void> {
  const { total, referrers } = await readReferrers(database, {
    patterns,
    except: tree.map(({ resource }) => resource.id),
    limit: MAX_NAMED,
  })
  if (total === 0) return
  const what = tree.length > 1 ? 'it or to its descendants' : 'it'
  const { kind, id } = tree[0].resource
  throw new FlotillaError(
    'state-conflict',
    `${kind} with id='${id}' cannot be deleted while other resources refer to ${what}: ${nameSome(referrers, total)}`,
  )
}

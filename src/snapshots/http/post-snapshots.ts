import type { RequestHandler, Response } from 'express'
import type { JsonObject } from '../../lib/json/json.ts'
import { invalid, type Violation } from '../../lib/errors.ts'
import { findRoots } from '../find-roots.ts'
import { waitOf } from '../../http/fairness/admission.ts'
import { waitForVersion } from '../../store/operations/read/wait-for-version.ts'
import { jsonText } from '../../lib/json/json-text.ts'
import { problemOf } from '../../hyperfleet/errors/problem.ts'
import { requestIdOf } from '../../http/requests/request-id.ts'
import { requestPath } from '../../http/requests/request-path.ts'
import { requireAccess } from '../../http/auth/authorize.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import { renderEnvelope } from './render-envelope.ts'
import { permittedSelection } from './permitted-selection.ts'
import { type PlaneObjects, requireKnownNames, withPlaneParts } from './plane-parts.ts'
import type { Selection } from './selection.ts'
import type { SnapshotContext } from './snapshot-context.ts'
import { minimumVersionOf } from '../../hyperfleet/query/minimum-version.ts'
import { resourcesOf } from './snapshot-query.ts'
import { type Root, takeWhole } from './take-whole.ts'

/** Maximum number of snapshots per request. */
export const MAX_SNAPSHOTS = 1000
/** Subtrees that are loaded concurrently. */
const AT_ONCE = 4

/** One context per kind with snapshots; the first is the default. */
type Contexts = readonly [SnapshotContext, ...SnapshotContext[]]

/** The validated body: either ids or a search. */
interface Body {
  readonly kind?: string
  /** IDs or names. */
  readonly ids?: readonly string[]
  readonly search?: string
  readonly resource?: string | readonly string[]
  readonly includeEmpty?: boolean
  /** Whether names that neither the root nor its plane has are errors. */
  readonly strict?: boolean
  readonly minResourceVersion?: string
}

/** The rules that the schema of the body cannot express. */
export function snapshotsRules({ ids, search }: JsonObject): readonly Violation[] {
  if ((ids === undefined) !== (search === undefined)) return []
  const message = 'give either ids or search'
  return [{ field: 'ids', message, constraint: 'either' }]
}

/**
 * POST of `/snapshots`: many snapshots, one per line. They include the objects of the roots' planes,
 * which may serve different resources.
 */
export function postSnapshots(contexts: Contexts, planes: PlaneObjects): RequestHandler {
  return async (request, response) => {
    const body: Body = request.body
    const context = contextOf(contexts, body.kind)
    const { operations, kind, authorizer } = context
    const listing = { verb: 'list', resource: kind.plural, subresource: null } as const
    await requireAccess(authorizer, response, listing)
    const violations: Violation[] = []
    // A name that is no part may be a resource of some plane.
    const selection = {
      resources: resourcesOf([body.resource ?? []].flat(), null, violations),
      includeEmpty: body.includeEmpty ?? false,
    }
    const least = minimumVersionOf(body.minResourceVersion ?? null, violations)
    if (violations.length > 0) throw invalid(violations)
    if (least) await waitForVersion(operations, least, waitOf(response))
    const verb = 'list'
    const permitted = await permittedSelection(context, response, { selection, verb })
    const { search = '' } = body
    const tenant = tenantOf(response)
    const ids =
      body.ids ?? (await findRoots(operations, { tenant, kind, search, most: MAX_SNAPSHOTS }))
    response.set('Content-Type', 'application/x-ndjson; charset=utf-8')
    const instance = requestPath(request.originalUrl)
    const trace = { instance, requestId: requestIdOf(response) }
    const lineOf = async (id: string): Promise<Buffer> => {
      try {
        const root = { tenant, idOrName: id, requested: selection, planes }
        return await snapshotLine(context, { root, permitted, strict: body.strict }, response)
      } catch (error) {
        const problem = problemOf(error, { ...trace, now: context.clock() })
        return Buffer.from(jsonText({ [context.kind.singular]: id, error: problem.body }))
      }
    }
    await sendLines(response, ids, lineOf)
  }
}

function contextOf(contexts: Contexts, value: string | undefined): SnapshotContext {
  if (value === undefined) return contexts[0]
  const context = contexts.find(({ kind }) => kind.kind === value)
  if (context) return context
  const known = contexts.map(({ kind }) => kind.kind).join(', ')
  const message = `kind: '${value}' has no snapshots; the kinds with snapshots are ${known}`
  throw invalid([{ field: 'kind', message, constraint: 'enum', value }])
}

interface Line {
  readonly root: Root
  readonly permitted: Selection
  readonly strict: boolean | undefined
}

async function snapshotLine(
  context: SnapshotContext,
  { root, permitted, strict = false }: Line,
  response: Response,
): Promise<Buffer> {
  const { kind, clock, parts } = context
  const { cached, plane } = await takeWhole(context, root, response)
  const { state, resourceVersion } = cached
  const { id } = state.root
  if (strict && root.planes) {
    const selected = root.requested.resources ?? []
    await requireKnownNames(root.planes, id, { selected, known: parts.known })
  }
  const tree = context.renderSnapshot(state, permitted)
  const { tail } = plane ? withPlaneParts(tree, plane) : tree
  const time = clock().toISOString()
  const liveResources = parts.count + (plane?.parts.length ?? 0)
  const head = renderEnvelope({
    kind,
    id,
    idOrName: root.idOrName,
    time,
    resourceVersion,
    liveResources,
  })
  return Buffer.concat([Buffer.from(head), tail])
}

/** Prepares a few lines ahead, and holds no more in memory for a slow client. */
async function sendLines(
  response: Response,
  ids: readonly string[],
  lineOf: (id: string) => Promise<Buffer>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const lines = await Promise.all(ids.slice(start, start + AT_ONCE).map(lineOf))
    if (response.destroyed) return
    const isTaken = response.write(Buffer.concat(lines.flatMap((line) => [line, NEW_LINE])))
    if (!isTaken) await untilTaken(response)
  }
  response.end()
}

/** Resolves when the written data is flushed or the client disconnects. */
function untilTaken(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

const NEW_LINE = Buffer.from('\n')

import type { Response } from 'express'
import { FlotillaError, invalid } from '../../lib/errors.ts'
import type { Authorizer } from '../../access/authorizer.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Database } from '../../store/database/database.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { unknownKind } from '../../store/registry/unknown-kind.ts'
import { serves } from '../../store/registry/verb.ts'
import { readDeclaringKinds } from '../storage/declaring-resources.ts'
import { hasAccess, requireAccess } from '../../http/auth/authorize.ts'
import { tenantOf } from '../../http/auth/caller.ts'

interface Options {
  readonly registry: Registry
  readonly authorizer: Authorizer
  readonly database: Database
}

/** The kinds that a lease is for. */
interface Selection {
  readonly adapter: string
  /** As the caller named them; undefined for every kind whose resources require the adapter. */
  readonly names: readonly string[] | undefined
}

/** A kind to lease resources of. */
export interface LeasedKind {
  readonly kind: RegisteredKind
  /** Only the resources that declare the adapter, which their kind does not require. */
  readonly declaredOnly: boolean
}

/** The kinds to lease resources of. The caller must be able to list them. */
export async function requestedKinds(
  { registry, authorizer, database }: Options,
  response: Response,
  { adapter, names }: Selection,
): Promise<readonly LeasedKind[]> {
  const known = registry.kinds.filter((kind) => serves(kind, 'report-status'))
  const isRequired = ({ requiredAdapters }: RegisteredKind) => requiredAdapters.includes(adapter)
  const access = ({ plural: resource }: RegisteredKind) =>
    ({ verb: 'list', resource, subresource: null }) as const
  if (names === undefined) {
    // Fleets, whose members declare adapters, exist only without tenants.
    const isComplete = tenantOf(response) !== null || known.every(isRequired)
    const declaring = isComplete ? new Set() : await readDeclaringKinds(database, adapter)
    const permitted: LeasedKind[] = []
    for (const kind of known) {
      const declaredOnly = !isRequired(kind)
      if (declaredOnly && !declaring.has(kind.kind)) continue
      if (await hasAccess(authorizer, response, access(kind)))
        permitted.push({ kind, declaredOnly })
    }
    if (permitted.length === 0) throw noKinds(adapter)
    return permitted
  }
  const problems = names.flatMap((name, index) => {
    const problem = unknownKind(name, known)
    const field = `kinds[${index}]`
    return problem === null ? [] : [{ field, message: problem, constraint: 'kind', value: name }]
  })
  if (problems.length > 0) throw invalid(problems)
  const kinds = [...new Set(names)].map(registry.byName)
  for (const kind of kinds) {
    await requireAccess(authorizer, response, access(kind))
    // A queue has a row for each resource of all tenants.
    if (tenantOf(response) !== null && !isRequired(kind)) throw notRequired(adapter, kind)
  }
  return kinds.map((kind) => ({ kind, declaredOnly: false }))
}

function noKinds(adapter: string): FlotillaError {
  const message = `kinds is required: no kind or resource that the caller may list requires '${adapter}'`
  return invalid([{ field: 'kinds', message, constraint: 'required' }])
}

function notRequired(adapter: string, { kind }: RegisteredKind): FlotillaError {
  return new FlotillaError(
    'forbidden',
    `'${adapter}' is not a required adapter of ${kind}: only a system caller can lease for it`,
  )
}

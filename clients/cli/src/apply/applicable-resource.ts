import { type ApiResponse, NotFound, PreconditionFailed } from '../../../typescript/src/index.ts'
import type { JsonObject } from '../documents/json-object.ts'
import type { Session } from '../session/session.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import type { Applicable, Outcome, Plan } from './applicable.ts'
import type { DeclaredResource } from './declared-resource.ts'
import { resourceContent } from './resource-content.ts'
import { resourcePath } from './resource-path.ts'

interface Parts {
  readonly target: KindTarget
  readonly declared: DeclaredResource
  /** The path of the parent, which may not exist yet; empty for root kinds. */
  readonly parent: () => Promise<readonly string[]>
}

/** A resource of the HyperFleet API, which is created or replaced by its name. */
export function applicableResource(
  session: Session,
  { target, declared, parent }: Parts,
): Applicable {
  const { name, body } = declared
  const { client, signal } = session
  const pathOf = async () => resourcePath(...(await parent()), target.plural, 'by-name', name)
  const put = async (headers: Record<string, string>, dryRun?: 'All') => {
    const path = await pathOf()
    const request = { method: 'PUT', path, body, headers, query: { dryRun }, signal } as const
    return await client.request<JsonObject>({ ...request, retry: dryRun ? 'always' : 'rejected' })
  }
  return {
    label: labelOf(target, declared),
    plan: async () => {
      const path = await pathOf()
      const request = { method: 'GET', path, signal, retry: 'always' } as const
      const current = await client.request<JsonObject>(request).catch(ifMissing)
      const changed = await put({}, 'All')
      return {
        before: current === null ? null : resourceContent(current.body),
        after: resourceContent(changed.body),
        current: current?.body ?? null,
        result: changed.body,
        version: current?.headers.get('etag') ?? null,
      }
    },
    write: async ({ version }: Plan) => {
      const condition = version === null ? { 'If-None-Match': '*' } : { 'If-Match': version }
      const response = await put(condition).catch(ifChanged)
      return response === null ? null : { outcome: outcomeOf(response), object: response.body }
    },
  }
}

function labelOf({ singular }: KindTarget, { name, parent }: DeclaredResource): string {
  return parent === null ? `${singular}/${name}` : `${singular}/${parent}/${name}`
}

function outcomeOf({ headers }: ApiResponse<JsonObject>): Outcome {
  const header = headers.get('x-hyperfleet-upsert')
  return header === 'created' || header === 'unchanged' ? header : 'updated'
}

function ifMissing(error: unknown): null {
  if (error instanceof NotFound) return null
  throw error
}

function ifChanged(error: unknown): null {
  if (error instanceof PreconditionFailed) return null
  throw error
}

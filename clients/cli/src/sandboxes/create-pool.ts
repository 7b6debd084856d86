import type { PlaneObject } from '../planes/plane-object.ts'
import type { Session } from '../session/session.ts'
import { blueprint, type WorkloadOptions } from './blueprint.ts'
import {
  EXTENSIONS_API_VERSION,
  type ExtensionPlural,
  extensionPath,
  observedExtension,
} from './extension-path.ts'
import type { WaitOptions } from '../waiting/wait-options.ts'
import { type SandboxName, type SandboxPlace, sandboxNamed } from './sandbox-path.ts'
import { waitForCondition } from './wait-for-condition.ts'

/** The options of `flotilla sandbox pool create`. */
export interface CreatePoolOptions extends SandboxPlace, WaitOptions, WorkloadOptions {
  readonly replicas: number
  readonly allowEnv?: boolean | undefined
}

/** Creates a pool, and a template with its name that is deleted together with it. */
export async function createPool(
  session: Session,
  { name, command }: { readonly name: string; readonly command: readonly string[] },
  options: CreatePoolOptions,
): Promise<void> {
  const { replicas, wait, timeout, allowEnv } = options
  const place = sandboxNamed(name, options)
  const pool = observedExtension('sandboxwarmpools', place)
  await create(session, place, {
    plural: 'sandboxtemplates',
    kind: 'SandboxTemplate',
    spec: {
      ...blueprint(command, options),
      ...(allowEnv === true && { envVarsInjectionPolicy: 'Allowed' }),
    },
  })
  await ownTemplate(session, place, await createPoolOf(session, place, replicas))
  if (wait) await waitForCondition(session, pool, { type: 'Ready', timeoutMs: timeout })
  session.out.write(`${pool.label} ${wait ? `has ${replicas} ready sandboxes` : 'created'}\n`)
}

/** Without a pool, the new template is deleted, so that the command can be repeated. */
async function createPoolOf(
  session: Session,
  place: SandboxName,
  replicas: number,
): Promise<PlaneObject> {
  try {
    return await create(session, place, {
      plural: 'sandboxwarmpools',
      kind: 'SandboxWarmPool',
      spec: { replicas, sandboxTemplateRef: { name: place.name } },
    })
  } catch (error) {
    const path = extensionPath('sandboxtemplates', place, place.name)
    await session.client.request({ method: 'DELETE', path, retry: 'always' })
    throw error
  }
}

interface NewObject {
  readonly plural: ExtensionPlural
  readonly kind: string
  readonly spec: object
}

async function create(
  { client, signal }: Session,
  place: SandboxName,
  { plural, kind, spec }: NewObject,
): Promise<PlaneObject> {
  const path = extensionPath(plural, place)
  const body = { apiVersion: EXTENSIONS_API_VERSION, kind, metadata: { name: place.name }, spec }
  const request = { method: 'POST', path, body, signal, retry: 'rejected' } as const
  return (await client.request<PlaneObject>(request)).body
}

/** Makes the pool the owner of its template. */
async function ownTemplate(
  { client, signal }: Session,
  place: SandboxName,
  { kind, metadata: { name, uid } }: PlaneObject,
): Promise<void> {
  const ownerReferences = [{ apiVersion: EXTENSIONS_API_VERSION, kind, name, uid }]
  await client.request({
    method: 'PATCH',
    path: extensionPath('sandboxtemplates', place, place.name),
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: { metadata: { ownerReferences } },
    signal,
    retry: 'always',
  })
}

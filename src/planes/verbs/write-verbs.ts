import { setAuditedOperation } from '../../http/requests/audited-request.ts'
import { badRequest } from '../errors/failures.ts'
import { OBJECT_TYPES } from '../requests/read-request-body.ts'
import { deleteOptionsOf, flagOf, listOptionsOf } from '../requests/request-options.ts'
import { writeOptionsOf } from '../requests/write-options.ts'
import { successStatus } from '../errors/status.ts'
import type { ObjectOperations, ObjectPatch } from '../model/object-operations.ts'
import type { ApiObject } from '../model/api-object.ts'
import { requireObject } from '../operations/require-object.ts'
import { requireStrategicSupport } from '../patches/strategic-support.ts'
import { sendList, sendObject } from './send-object.ts'
import type { VerbRequest } from './verb-request.ts'

const PATCH_TYPES: Readonly<Record<string, ObjectPatch['type']>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
}

/** POST to a collection. */
export async function serveCreate(operations: ObjectOperations, verb: VerbRequest): Promise<void> {
  const { requester, target } = verb
  const { object, options } = await readObjectBody(verb, 'CreateOptions')
  const created = await operations.create(requester, target, object, options)
  const { name } = created.metadata
  if (name !== undefined) setAuditedOperation(verb.response, { name })
  await sendObject(verb, 201, created)
}

/** PUT of an object. */
export async function serveUpdate(operations: ObjectOperations, verb: VerbRequest): Promise<void> {
  const { requester, target } = verb
  const { object, options } = await readObjectBody(verb, 'UpdateOptions')
  await sendObject(verb, 200, await operations.update(requester, target, object, options))
}

async function readObjectBody(
  { request, query, readBody }: VerbRequest,
  kind: 'CreateOptions' | 'UpdateOptions',
) {
  const body = await readBody(OBJECT_TYPES)
  if (!body) throw badRequest('the request needs a body')
  const object: ApiObject = requireObject(body.value)
  const userAgent = request.headers['user-agent'] ?? ''
  const options = writeOptionsOf({ query, userAgent, kind })
  const { text, duplicateKeys } = body
  return { object, options: { ...options, duplicateKeys, ...(text !== null && { text }) } }
}

/** PATCH of an object. An apply responds with 201 if it creates the object. */
export async function servePatch(operations: ObjectOperations, verb: VerbRequest): Promise<void> {
  const { request, query, requester, target, readBody } = verb
  const body = await readBody(Object.keys(PATCH_TYPES))
  if (!body) throw badRequest('the request needs a body')
  const type = PATCH_TYPES[body.type] ?? 'merge'
  if (type === 'strategic') requireStrategicSupport(target.type)
  const userAgent = request.headers['user-agent'] ?? ''
  const options = writeOptionsOf({ query, userAgent, kind: 'PatchOptions', patchType: type })
  const force = type === 'apply' && flagOf(query, 'force')
  const { value, text, duplicateKeys } = body
  const patch = { type, body: value, force, duplicateKeys, ...(text !== null && { text }) }
  const { object, isNew } = await operations.patch(requester, target, patch, options)
  await sendObject(verb, isNew ? 201 : 200, object)
}

/** DELETE of an object: a Status once it is removed, the object while finalizers delay that. */
export async function serveDelete(operations: ObjectOperations, verb: VerbRequest): Promise<void> {
  const { requester, target } = verb
  const options = await readDeleteOptions(verb)
  const { object, isRemoved } = await operations.delete(requester, target, options)
  if (!isRemoved) {
    await sendObject(verb, 200, object)
    return
  }
  const { name, type } = target
  const { uid } = object.metadata
  verb.response.status(200).json(
    successStatus({
      name,
      group: type.group,
      kind: type.plural,
      ...(uid !== undefined && { uid }),
    }),
  )
}

/** DELETE of a collection. */
export async function serveDeleteCollection(
  operations: ObjectOperations,
  verb: VerbRequest,
): Promise<void> {
  const { query, requester, target } = verb
  const options = await readDeleteOptions(verb)
  const selection = listOptionsOf(query)
  setAuditedOperation(verb.response, { detail: selectorsIn(query) })
  await sendList(verb, await operations.deleteCollection(requester, target, selection, options))
}

/** The selectors of a request for the audit log. */
function selectorsIn(query: URLSearchParams): string {
  return ['labelSelector', 'fieldSelector']
    .filter((name) => query.has(name))
    .map((name) => `${name}=${query.get(name)}`)
    .join('&')
}

/** The options of a DELETE, which can be in its query or body. */
async function readDeleteOptions({ query, readBody, response }: VerbRequest) {
  const body = await readBody(OBJECT_TYPES)
  const options = deleteOptionsOf(query, body?.value ?? null)
  setAuditedOperation(response, { dryRun: options.dryRun === true })
  return options
}

import { CliError } from '../errors/cli-error.ts'
import { suggestion } from '../errors/suggestion.ts'
import type { Document } from '../documents/document.ts'
import { isJsonObject, type JsonObject } from '../documents/json-object.ts'
import type { KindTarget } from '../targets/kind-target.ts'

/** A resource of the HyperFleet API, as a file declares it. */
export interface DeclaredResource {
  readonly name: string
  /** The name or ID of the parent; null for root kinds. */
  readonly parent: string | null
  /** The body of a create, without its name. */
  readonly body: JsonObject
}

/** Fields of a response that requests must not have. Files from `get -o yaml` contain them. */
const OWNED_BY_SERVER = [
  'id',
  'href',
  'generation',
  'status',
  'tenancy',
  'created_time',
  'updated_time',
  'created_by',
  'updated_by',
  'deleted_time',
  'deleted_by',
  'owner_references',
]
const WRITABLE = ['kind', 'name', 'spec', 'labels', 'annotations', 'references']

/** Reads a resource from a document. A misspelt field is an error: it would be lost. */
export function declaredResource(
  { content, source }: Document,
  { kind, parentKind }: KindTarget,
  cluster: string | undefined,
): DeclaredResource {
  const { name } = content
  if (typeof name !== 'string') throw invalid(source, `this ${kind} has no name`)
  const parentField = parentKind === null ? null : fieldOf(parentKind)
  const allowed = [...WRITABLE, ...(parentField === null ? [] : [parentField])]
  for (const field of Object.keys(content)) {
    if (allowed.includes(field) || OWNED_BY_SERVER.includes(field)) continue
    const similar = suggestion(field, allowed)
    const hint =
      similar === null ? `The fields are ${allowed.join(', ')}.` : `Did you mean '${similar}'?`
    throw invalid(source, `${kind} '${name}' has the unknown field '${field}'`, hint)
  }
  const fields = WRITABLE.filter((field) => field !== 'name' && content[field] !== undefined)
  const body = Object.fromEntries(fields.map((field) => [field, content[field]]))
  return {
    name,
    parent: parentOf({ content, source }, parentField, cluster),
    body: { spec: {}, ...body },
  }
}

/** A node pool names its `cluster`; in responses of the server, the owner has the ID. */
function parentOf(
  { content, source }: Document,
  field: string | null,
  cluster: string | undefined,
): string | null {
  if (field === null) return null
  const owner = content['owner_references']
  const named = content[field] ?? (isJsonObject(owner) ? owner['id'] : undefined) ?? cluster
  if (typeof named === 'string') return named
  const hint = `Add '${field}: NAME' to the object, or give --cluster NAME.`
  throw invalid(
    source,
    `${String(content['kind'])} '${String(content['name'])}' has no ${field}`,
    hint,
  )
}

/** `cluster` for the kind Cluster, `nodePool` for NodePool. */
function fieldOf(kind: string): string {
  return kind.charAt(0).toLowerCase() + kind.slice(1)
}

function invalid(source: string, problem: string, hint?: string): CliError {
  return new CliError(`${source}: ${problem}`, { exit: 'usage', hint })
}

import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  optionalText,
  textOf,
} from 'flotilla'
import type { ApiObject } from 'flotilla/planes'

/** Fields of a claim in v1alpha1 that the stored version cannot express. */
const STATE_ANNOTATION = 'api.agents.x-k8s.io/v1alpha1-sandboxclaim-state'
/** With a template's name after it, the pool of claims that name no pool. */
const TEMPLATE_POOL = 'shadow-pool-'

/** The fields of a claim in v1alpha1 that v1beta1 has replaced by `warmPoolRef`. */
interface OldSource {
  readonly template: string
  /** The name of a pool, `default` for every pool of the template, or `none`. */
  readonly warmpool: string
}

/** The pool of a stored claim; if it has none, the template whose pools it may use. */
export interface ClaimSource {
  readonly pool: string
  /** Used if the pool does not exist; null for claims that require the pool. */
  readonly template: string | null
  /** Whether the claim may get a sandbox that waits in a pool of the template. */
  readonly adopts: boolean
}

export function claimSourceOf(claim: ApiObject): ClaimSource {
  const pool = poolOf(claim['spec'])
  const adopts = recordedSource(claim)?.warmpool !== 'none'
  return { pool, template: templateOf(pool), adopts }
}

/** The claim in the stored version, from the fields of v1alpha1. */
export function storedClaim(object: ApiObject): ApiObject {
  const { sandboxTemplateRef, warmpool, ...fields } = objectOf(object['spec'])
  const template = textOf(objectOf(sandboxTemplateRef)['name'])
  const source = { template, warmpool: optionalText(warmpool) ?? 'default' }
  const annotation = source.warmpool === 'default' ? null : JSON.stringify(source)
  const spec = { ...fields, warmPoolRef: { name: storedPool(source) } }
  return withAnnotation({ ...object, spec }, annotation)
}

/** The claim with the fields of v1alpha1. */
export function oldClaim(object: ApiObject): ApiObject {
  const { warmPoolRef: _pool, ...fields } = objectOf(object['spec'])
  const { template, warmpool } = oldSource(object)
  const spec = { ...fields, sandboxTemplateRef: { name: template }, warmpool }
  return withAnnotation({ ...object, spec }, null)
}

function oldSource(object: ApiObject): OldSource {
  const pool = poolOf(object['spec'])
  const recorded = recordedSource(object)
  if (recorded && storedPool(recorded) === pool) return recorded
  const template = templateOf(pool)
  if (template !== null) return { template, warmpool: 'default' }
  // Another client has chosen another pool since.
  return { template: recorded?.template ?? pool, warmpool: pool }
}

function storedPool({ template, warmpool }: OldSource): string {
  return warmpool === 'default' || warmpool === 'none' ? TEMPLATE_POOL + template : warmpool
}

function poolOf(spec: JsonValue | undefined): string {
  return textOf(objectOf(objectOf(spec)['warmPoolRef'])['name'])
}

function templateOf(pool: string): string | null {
  return pool.startsWith(TEMPLATE_POOL) ? pool.slice(TEMPLATE_POOL.length) : null
}

/** Null if the annotation is absent, or if a client has written something else. */
function recordedSource({ metadata }: ApiObject): OldSource | null {
  const { template, warmpool } = parsed(metadata.annotations?.[STATE_ANNOTATION] ?? '')
  if (typeof template !== 'string' || typeof warmpool !== 'string') return null
  return { template, warmpool }
}

function parsed(text: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function withAnnotation(object: ApiObject, value: string | null): ApiObject {
  const { metadata } = object
  const { annotations: before } = metadata
  if (value === null && before?.[STATE_ANNOTATION] === undefined) return object
  const { [STATE_ANNOTATION]: _state, ...others } = before ?? {}
  const annotations = { ...others, ...(value !== null && { [STATE_ANNOTATION]: value }) }
  const { annotations: _before, ...fields } = metadata
  const isEmpty = Object.keys(annotations).length === 0
  return { ...object, metadata: isEmpty ? fields : { ...fields, annotations } }
}

import { KubeError } from '../errors/kube-error.ts'
import { acceptClauses, type AcceptClause } from './accept-clauses.ts'

/** The form in which a response shows objects. */
export interface Representation {
  readonly encoding: 'json' | 'yaml'
  /** `metadata` and `metadata-list` are PartialObjectMetadata and its list. */
  readonly shape: 'object' | 'table' | 'metadata' | 'metadata-list'
  /** The version of `meta.k8s.io` of tables and metadata. */
  readonly metaVersion: 'v1' | 'v1beta1'
  /** Whether the items of a list of metadata lack kind and version, as they do in protobuf. */
  readonly omitsItemKinds?: boolean
}

/** The forms that a response can have. */
export interface Negotiation {
  readonly isStream?: boolean
  readonly hasTables?: boolean
}

/** Objects as JSON, for requests without a preference. */
export const JSON_OBJECTS: Representation = { encoding: 'json', shape: 'object', metaVersion: 'v1' }

const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const MEDIA_TYPES = ['application/json', 'application/yaml', PROTOBUF] as const
type MediaType = (typeof MEDIA_TYPES)[number]

const SHAPES: Readonly<Record<string, Representation['shape']>> = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata-list',
}

/**
 * Selects the representation for an Accept header. The answer to protobuf is JSON, because clients
 * decode by Content-Type. Streams have no YAML form. Throws a 406 if nothing fits.
 */
export function negotiate(
  header: string | undefined,
  { isStream = false, hasTables = true }: Negotiation = {},
): Representation {
  if (header === undefined || header.trim() === '') return JSON_OBJECTS
  const types = isStream ? MEDIA_TYPES.filter((type) => type !== 'application/yaml') : MEDIA_TYPES
  for (const clause of acceptClauses(header)) {
    for (const type of types) {
      const representation = includes(clause.range, type) ? representationOf(clause, type) : null
      if (representation !== null && (hasTables || representation.shape !== 'table'))
        return representation
    }
  }
  throw notAcceptable(`only the following media types are accepted: ${describe(types, isStream)}`)
}

/** 406: the response has no form that the request accepts. */
export function notAcceptable(message: string): KubeError {
  return new KubeError('malformed', message, { code: 406, statusReason: 'NotAcceptable' })
}

function includes(range: string, type: MediaType): boolean {
  return range === type || range === '*/*' || range === 'application/*'
}

/** Null if the clause requests a conversion that does not exist. */
function representationOf({ parameters }: AcceptClause, type: MediaType): Representation | null {
  const stream = parameters.get('stream') ?? ''
  const serverVersion = parameters.get('sv') ?? ''
  if (!['', 'watch'].includes(stream) || !['', 'v1'].includes(serverVersion)) return null
  const encoding = type === 'application/yaml' ? 'yaml' : 'json'
  if (!['as', 'g', 'v'].some((name) => parameters.has(name))) return { ...JSON_OBJECTS, encoding }
  const kind = parameters.get('as') ?? ''
  const metaVersion = parameters.get('v')
  const shape = Object.hasOwn(SHAPES, kind) ? SHAPES[kind] : undefined
  if (shape === undefined || parameters.get('g') !== 'meta.k8s.io') return null
  if (metaVersion !== 'v1' && metaVersion !== 'v1beta1') return null
  if (shape === 'table' && type === PROTOBUF) return null
  const omitsItemKinds = shape === 'metadata-list' && type === PROTOBUF
  return { encoding, shape, metaVersion, ...(omitsItemKinds && { omitsItemKinds }) }
}

function describe(types: readonly MediaType[], isStream: boolean): string {
  return types.map((type) => (isStream ? `${type};stream=watch` : type)).join(', ')
}

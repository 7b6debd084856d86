import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import type {
  PlaneConfiguration,
  PlaneConfigurations,
} from '../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { AdmissionRequest } from '../model/admission.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { ResourceType } from '../model/resource-type.ts'
import { serveHttp } from '../../http/egress/fixtures.ts'

/** Configurations that hold the same objects in every plane. */
export function configurationsWith(
  objects: Readonly<Record<string, readonly ApiObject[]>>,
): PlaneConfigurations {
  const derived = new Map<symbol, unknown>()
  const configuration: PlaneConfiguration = {
    revision: 1n,
    objects: (resource) => (objects[resource] ?? []).map((body) => storedObject(resource, body)),
    derive: (key, _resources, compute) => {
      const value = compute(configuration)
      derived.set(key, value)
      return value
    },
  }
  return { of: async () => configuration }
}

function storedObject(resource: string, body: ApiObject): StoredObject {
  const { namespace = '', name = '', uid = 'uid' } = body.metadata
  return { plane: 'p', resource, namespace, name, uid, revision: 1n, body, managedFields: [] }
}

const VERSION = {
  served: true,
  schema: { type: 'object' },
  printerColumns: [],
  selectableFields: [],
  hasStatus: false,
  scale: null,
} as const

/** A resource type for tests. */
export function typeOf(
  group: string,
  kind: string,
  { namespaced = true, versions = ['v1'] }: { namespaced?: boolean; versions?: string[] } = {},
): ResourceType {
  const singular = kind.toLowerCase()
  return {
    group,
    plural: `${singular}s`,
    singular,
    kind,
    listKind: `${kind}List`,
    shortNames: [],
    categories: [],
    namespaced,
    verbs: ['create', 'update', 'delete'],
    versions: versions.map((name) => ({ ...VERSION, name })),
    storageVersion: versions[0] ?? 'v1',
    isCustom: group !== '',
  }
}

export const CONFIG_MAP = typeOf('', 'ConfigMap')

/** A config map with data. */
export function configMap(data: JsonObject = {}, metadata: JsonObject = {}): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata }, data }
}

/** The creation of a config map in namespace `ns`, unless members replace it. */
export function requestWith(members: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const request: AdmissionRequest = {
    plane: 'p',
    operation: 'CREATE',
    type: CONFIG_MAP,
    version: 'v1',
    subresource: '',
    namespace: 'ns',
    name: 'a',
    object: configMap(),
    oldObject: null,
    options: {},
    dryRun: false,
    user: { name: 'jane', uid: '', groups: ['devs'], extra: {} },
    warn: () => undefined,
  }
  return { ...request, ...members }
}

/** The members of a response besides its uid. */
type Reply = (request: JsonObject) => JsonObject

/** Serves a webhook over plain HTTP. Returns its URL and the requests of all reviews so far. */
export async function serveWebhook(
  reply: Reply,
): Promise<{ readonly url: string; readonly requests: JsonObject[] }> {
  const requests: JsonObject[] = []
  const listener: RequestListener = (incoming, response) => {
    void text(incoming).then((body) => {
      const { request } = JSON.parse(body)
      requests.push(request)
      const review = {
        kind: 'AdmissionReview',
        apiVersion: 'admission.k8s.io/v1',
        response: { uid: request.uid, ...reply(request) },
      }
      response.end(JSON.stringify(review))
    })
  }
  return { url: await serveHttp(listener), requests }
}

/** The members of a response with a JSON patch. */
export function patchReply(operations: readonly JsonObject[]): JsonObject {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64')
  return { allowed: true, patchType: 'JSONPatch', patch }
}

import type { JsonValue } from '../../lib/json/json.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { PlaneIdentity } from '../model/native-resource.ts'
import { apiVersionOf, type ResourceType, resourceKey } from '../model/resource-type.ts'

interface Content {
  readonly name: string
  /** Empty for cluster-scoped objects. */
  readonly namespace?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  /** Fields other than apiVersion, kind and metadata. */
  readonly fields?: Readonly<Record<string, JsonValue>>
}

/** An object that a plane has from its start. Its uid derives from the plane, kind and name. */
export function initialObject(
  { createdTime, uidOf }: PlaneIdentity,
  type: ResourceType,
  { name, namespace = '', labels, annotations, fields = {} }: Content,
): ApiObject {
  return {
    apiVersion: apiVersionOf(type.group, type.storageVersion),
    kind: type.kind,
    metadata: {
      name,
      ...(namespace !== '' && { namespace }),
      uid: uidOf(`${resourceKey(type)}/${namespace}/${name}`),
      creationTimestamp: createdTime.toISOString().replace(/\.\d+Z$/, 'Z'),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    },
    ...fields,
  }
}

import type { ApiObject } from '../../../model/api-object.ts'
import type { NativeResource, PlaneIdentity } from '../../../model/native-resource.ts'
import { resourceKey } from '../../../model/resource-type.ts'
import { initialObject } from '../../initial-object.ts'
import { INITIAL_NAMESPACES } from '../namespaces/initial-namespaces.ts'
import { NAMESPACES } from '../namespaces/namespaces.ts'
import { CONFIG_MAPS } from './config-maps.ts'

export const ROOT_CERTIFICATE_MAP = 'kube-root-ca.crt'

const DESCRIPTION = 'kubernetes.io/description'
const ANNOTATIONS = { [DESCRIPTION]: 'Certificates with which clients verify this server.' }

/** The data of the config map. */
export function rootCertificateData(certificates: string): Readonly<Record<string, string>> {
  return { 'ca.crt': certificates }
}

/** The config map of a namespace. */
export function rootCertificateMap(namespace: string, certificates: string): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: ROOT_CERTIFICATE_MAP, namespace, annotations: ANNOTATIONS },
    data: rootCertificateData(certificates),
  }
}

/**
 * The resources with a config map of the certificates in every namespace: computed in those that a
 * plane has from the start, created with the others.
 */
export function withRootCertificates(
  resources: readonly NativeResource[],
  current: () => string,
): readonly NativeResource[] {
  const withMaps = new Map([
    [resourceKey(CONFIG_MAPS.type), withInitialMaps(current)],
    [resourceKey(NAMESPACES.type), withCompanionMap(current)],
  ])
  return resources.map((resource) => {
    return withMaps.get(resourceKey(resource.type))?.(resource) ?? resource
  })
}

type Extend = (resource: NativeResource) => NativeResource

function withInitialMaps(current: () => string): Extend {
  const mapOf = (plane: PlaneIdentity, namespace: string): ApiObject =>
    initialObject(plane, CONFIG_MAPS.type, {
      name: ROOT_CERTIFICATE_MAP,
      namespace,
      annotations: ANNOTATIONS,
      fields: { data: rootCertificateData(current()) },
    })
  return (resource) => ({
    ...resource,
    initialObjects: (plane) => INITIAL_NAMESPACES.map((namespace) => mapOf(plane, namespace)),
  })
}

function withCompanionMap(current: () => string): Extend {
  return ({ strategy, ...resource }) => ({
    ...resource,
    strategy: {
      ...strategy,
      companions: (namespace, context) => {
        const { name = '', creationTimestamp } = namespace.metadata
        const map = rootCertificateMap(name, current())
        const metadata = { ...map.metadata, ...(creationTimestamp && { creationTimestamp }) }
        return [...(strategy?.companions?.(namespace, context) ?? []), { ...map, metadata }]
      },
    },
  })
}

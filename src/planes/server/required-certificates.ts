import { isDeepStrictEqual } from 'node:util'
import type { TrustedCertificates } from '../../http/server/tls/trusted-certificates.ts'
import {
  ROOT_CERTIFICATE_MAP,
  rootCertificateData,
  rootCertificateMap,
} from '../native/core/config-maps/root-certificate-maps.ts'
import type { ResourceName } from '../controllers/client/plane-client.ts'
import type { RequiredObject } from '../controllers/required-objects/required-object-controller.ts'

const MAPS: ResourceName = { group: '', version: 'v1', plural: 'configmaps' }

/** The config map `kube-root-ca.crt` of every namespace. */
export function rootCertificateMaps({ current, follow }: TrustedCertificates): RequiredObject {
  return {
    controller: 'root-certificates',
    resource: MAPS,
    name: ROOT_CERTIFICATE_MAP,
    objectIn: (namespace) => rootCertificateMap(namespace, current()),
    content: {
      isCurrent: ({ data }) => isDeepStrictEqual(data, rootCertificateData(current())),
      repair: async (client, map) => {
        const { namespace = '', uid } = map.metadata
        if (map['immutable'] === true) {
          // Its deletion creates another one.
          const preconditions = { ...(uid !== undefined && { uid }) }
          await client.delete(MAPS, { namespace, name: ROOT_CERTIFICATE_MAP }, { preconditions })
        } else {
          await client.update(MAPS, { ...map, data: rootCertificateData(current()) })
        }
      },
      follow,
    },
  }
}

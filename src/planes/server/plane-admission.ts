import { createAdmission } from '../admission/create-admission.ts'
import { quotaStatus } from '../admission/quota/quota-status.ts'
import { ADMISSION_RESOURCES } from '../admission/resources/admission-resources.ts'
import type { WebhookClient } from '../admission/webhook-client.ts'
import { localApiServices } from '../delegation/local-api-services.ts'
import type { PlaneAuthorizer } from '../model/access.ts'
import type { AdmissionPlugin } from '../model/admission.ts'
import type { NativeResource } from '../model/native-resource.ts'
import { resourceKey } from '../model/resource-type.ts'
import type { TypeRegistry } from '../model/type-registry.ts'
import type { Converter } from '../model/converter.ts'
import { storedObject } from '../operations/versioned-object.ts'
import type { PlaneStorage } from '../planes/plane-storage.ts'
import { countObjects } from '../../store/objects/storage/count-objects.ts'
import type { Database } from '../../store/database/database.ts'
import { must } from '../../lib/assert.ts'
import type { Log } from '../../lib/log/log.ts'

/**
 * Adds the resources that configure admission, computes the status of quotas, and gives every plane
 * the APIServices of the group versions that it serves.
 */
export function withAdmissionResources(
  database: () => Database,
  resources: readonly NativeResource[],
): readonly NativeResource[] {
  const all = [...resources, ...ADMISSION_RESOURCES]
  return all.map((resource) => {
    switch (resourceKey(resource.type)) {
      case 'resourcequotas':
        return {
          ...resource,
          isConfiguration: true,
          complete: quotaStatus((...counted) => countObjects(database(), ...counted)),
        }
      case 'apiservices.apiregistration.k8s.io':
        return { ...resource, initialObjects: localApiServices(all) }
      default:
        return resource
    }
  })
}

interface Parts {
  readonly database: Database
  readonly storage: PlaneStorage
  readonly types: TypeRegistry
  readonly convert: Converter
  readonly webhooks: WebhookClient
  readonly authorizer: PlaneAuthorizer
  readonly log: Log
  /** Members of the chain that run between mutation and other validation. */
  readonly others: readonly AdmissionPlugin[]
}

/** The chain of admission of all planes. */
export function createPlaneAdmission(parts: Parts): readonly AdmissionPlugin[] {
  const { database, storage, types, convert, webhooks, authorizer, log, others } = parts
  const { store, configurations } = storage
  return createAdmission({
    configurations,
    webhooks,
    authorizer,
    parameters: { types, storeOf: () => store },
    readNamespace: async (plane, name) => {
      const object = await store.read({ plane, resource: 'namespaces', namespace: '', name })
      return object && storedObject(object)
    },
    convert: async (type, object, version) =>
      must((await convert([object], { type, version }))[0], 'a converted object'),
    count: (...counted) => countObjects(database, ...counted),
    log,
    others,
  })
}

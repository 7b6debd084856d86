import type { NativeResource } from '../model/native-resource.ts'
import { EVENTS } from './events/events.ts'
import { API_SERVICES } from './api-registration/api-services.ts'
import { LEASES } from './coordination/leases.ts'
import { CONFIG_MAPS } from './core/config-maps/config-maps.ts'
import { NAMESPACES } from './core/namespaces/namespaces.ts'
import { RESOURCE_QUOTAS } from './core/resource-quotas/resource-quotas.ts'
import { SECRETS } from './core/secrets/secrets.ts'
import { SERVICE_ACCOUNTS } from './core/service-accounts/service-accounts.ts'

/** The native resources that need nothing but the store of objects. */
export const NATIVE_RESOURCES: readonly NativeResource[] = [
  NAMESPACES,
  CONFIG_MAPS,
  SECRETS,
  SERVICE_ACCOUNTS,
  EVENTS,
  RESOURCE_QUOTAS,
  LEASES,
  API_SERVICES,
]

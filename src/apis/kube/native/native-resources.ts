import type { NativeResource } from '../model/native-resource.ts'
import { CONFIG_MAPS } from './core/config-maps/config-maps.ts'
import { NAMESPACES } from './core/namespaces/namespaces.ts'
import { SECRETS } from './core/secrets/secrets.ts'
import { SERVICE_ACCOUNTS } from './core/service-accounts/service-accounts.ts'

/** The native resources that need nothing but the store of objects. */
export const NATIVE_RESOURCES: readonly NativeResource[] = [
  NAMESPACES,
  CONFIG_MAPS,
  SECRETS,
  SERVICE_ACCOUNTS,
]

/** Declarations of native resources, and the ready-made ones. */
export { CUSTOM_RESOURCE_DEFINITIONS } from '../../planes/definitions/custom-resource-definitions.ts'
export { LEASES } from '../../planes/native/coordination/leases.ts'
export { CONFIG_MAPS } from '../../planes/native/core/config-maps/config-maps.ts'
export { NAMESPACES } from '../../planes/native/core/namespaces/namespaces.ts'
export { RESOURCE_QUOTAS } from '../../planes/native/core/resource-quotas/resource-quotas.ts'
export { SECRETS } from '../../planes/native/core/secrets/secrets.ts'
export { SERVICE_ACCOUNTS } from '../../planes/native/core/service-accounts/service-accounts.ts'
export { EVENTS } from '../../planes/native/events/events.ts'
export { inStoredVersion } from '../../planes/native/in-stored-version.ts'
export {
  dnsLabelMessages,
  dnsSubdomainMessages,
  nameMessages,
} from '../../planes/native/metadata/name-syntax.ts'
export { NATIVE_RESOURCES } from '../../planes/native/native-resources.ts'
export { type NativeDeclaration, nativeType } from '../../planes/native/native-type.ts'
export {
  AGE_COLUMN,
  computedColumn,
  countColumn,
  NAME_COLUMN,
  textColumn,
  wide,
} from '../../planes/native/printer-columns.ts'
export { CONDITION } from '../../planes/native/schemas/condition.ts'
export {
  atomicList,
  atomicMap,
  bytes,
  choice,
  definition,
  flag,
  integer,
  keyedList,
  longInteger,
  mapList,
  mapOf,
  TEXT,
  text,
  textList,
  time,
  withDefault,
} from '../../planes/native/schemas/field-schemas.ts'

import type { RequiredObject } from './required-object-controller.ts'

/** The service account `default` of every namespace. */
export const DEFAULT_SERVICE_ACCOUNTS: RequiredObject = {
  controller: 'service-accounts',
  resource: { group: '', version: 'v1', plural: 'serviceaccounts' },
  name: 'default',
  objectIn: (namespace) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace, name: 'default' },
  }),
}

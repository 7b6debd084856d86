import type { JsonObject } from '../../lib/json/json.ts'
import type { ApiObject } from '../model/api-object.ts'

/** An APIService of `metrics.example.com/v1` with the annotation of its server. */
export function apiService(
  url: string | null,
  { spec = {}, status }: { spec?: JsonObject; status?: JsonObject } = {},
): ApiObject {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {
      name: 'v1.metrics.example.com',
      ...(url !== null && { annotations: { 'flotilla.dev/url': url } }),
    },
    spec: {
      group: 'metrics.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 50,
      service: { namespace: 'a', name: 'b' },
      ...spec,
    },
    ...(status && { status }),
  }
}

/** The discovery document of the group version. */
export const RESOURCE_LIST = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'metrics.example.com/v1',
  resources: [
    {
      name: 'widgets',
      singularName: 'widget',
      namespaced: true,
      kind: 'Widget',
      verbs: ['get', 'list'],
      shortNames: ['w'],
    },
    { name: 'widgets/status', singularName: '', namespaced: true, kind: 'Widget', verbs: ['get'] },
    {
      name: 'widgets/scale',
      group: 'autoscaling',
      version: 'v1',
      namespaced: true,
      kind: 'Scale',
      verbs: ['get'],
    },
  ],
}

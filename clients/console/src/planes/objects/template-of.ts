import { toYaml } from '../../edit/yaml/to-yaml.ts'
import { apiVersionOf, type PlaneKind } from '../../kube/plane-kind.ts'

/** Beginnings of the kinds that users create most, by plural and group. */
const CONTENTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'configmaps.': { data: { key: 'value' } },
  'secrets.': { stringData: { password: '' } },
  'fleets.kplane.dev': { spec: { replicas: 3, scaleDownPolicy: 'Delete' } },
  'scenarios.kplane.dev': { spec: { labels: {}, objects: [] } },
  'sandboxes.agents.x-k8s.io': {
    spec: {
      podTemplate: {
        spec: { containers: [{ name: 'main', command: ['/bin/sh', '-c', 'exec sleep 3600'] }] },
      },
    },
  },
}

/** The text with which a new object begins. */
export function templateOf(kind: PlaneKind, namespace: string): string {
  const { group, plural } = kind
  return toYaml({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name: '', ...(kind.isNamespaced && { namespace }) },
    ...(CONTENTS[`${plural}.${group}`] ?? (group === '' ? {} : { spec: {} })),
  })
}

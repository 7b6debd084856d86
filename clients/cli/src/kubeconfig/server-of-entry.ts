import { isMap, isSeq } from 'yaml'
import { parseKubeconfig } from './merge-kubeconfig.ts'

/** The server of the cluster with a name in a kubeconfig file; null if there is none. */
export function serverOfEntry(text: string, name: string): string | null {
  const clusters: unknown = parseKubeconfig(text).get('clusters')
  if (!isSeq(clusters)) return null
  const entry = clusters.items.find((item) => isMap(item) && item.get('name') === name)
  const server = isMap(entry) ? entry.getIn(['cluster', 'server']) : null
  return typeof server === 'string' ? server : null
}

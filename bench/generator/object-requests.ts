import { configMap, OBJECTS, objectName } from '../data/objects.ts'
import type { BenchRequest } from './bench-request.ts'
import { anyCluster, type SourceContext } from './source-context.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

/** Reads one of the seeded config maps of the root plane. */
export function getObject({ random }: SourceContext): BenchRequest {
  const name = objectName(Math.floor(random() * OBJECTS))
  return { method: 'GET', base: '', path: `${CONFIG_MAPS}/${name}`, body: null }
}

/** Lists seeded config maps of the root plane. */
export function listObjects(query: string): BenchRequest {
  return { method: 'GET', base: '', path: `${CONFIG_MAPS}?${query}`, body: null }
}

/** Creates config maps in the root plane, or each in the plane of a random cluster. */
export function createObjects(context: SourceContext, planes: 'one' | 'many'): () => BenchRequest {
  let sequence = 0
  return () => {
    sequence += 1
    const base = planes === 'one' ? '' : `/clusters/${anyCluster(context).id}/control-plane`
    const body = JSON.stringify(configMap(`${context.tag}-${sequence}`, sequence))
    return { method: 'POST', base, path: CONFIG_MAPS, body }
  }
}

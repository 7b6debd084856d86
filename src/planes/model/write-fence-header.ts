import type { WriteFence } from '../../store/objects/model/write-fence.ts'

/** The header with which controllers in another process send their fence. */
export const FENCE_HEADER = 'Flotilla-Fence'

const FENCE = /^([^/;]{1,253})\/([^/;]{1,253});uid=([^;]{1,128});number=(\d{1,10})$/

/** The header's value, such as `kube-system/controllers;uid=…;number=7`. */
export function formatFence({ namespace, name, uid, number }: WriteFence): string {
  return `${namespace}/${name};uid=${uid};number=${number}`
}

/** The fence of a header; null if the value is malformed. */
export function parseFence(value: string): WriteFence | null {
  const [, namespace, name, uid, number] = FENCE.exec(value) ?? []
  if (!namespace || !name || !uid || !number) return null
  return { namespace, name, uid, number: Number(number) }
}

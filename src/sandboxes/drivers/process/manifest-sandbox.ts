import type { SandboxKey } from '../generated/proto/snapshot_driver_pb.ts'
import type { ManifestSandbox } from './manifest.ts'

/** The sandbox of a request, without the properties of its message. */
export function manifestSandbox(key: SandboxKey | undefined): ManifestSandbox {
  const { installation = '', plane = '', namespace = '', name = '', uid = '' } = key ?? {}
  return { installation, plane, namespace, name, uid }
}

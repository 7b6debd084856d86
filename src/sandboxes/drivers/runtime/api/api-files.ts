import { lstat } from 'node:fs/promises'
import path from 'node:path'
import { create } from '@bufbuild/protobuf'
import type { StoredImage } from '../../images/image-store.ts'
import {
  EnvVarSchema,
  type SandboxKey,
  type Volume,
  VolumeSchema,
  type Workload,
} from '../../generated/proto/snapshot_driver_pb.ts'
import { API } from '../network/router-addresses.ts'

/** Volumes of manifests have no underscores in their names. */
const NAME = 'kube_api_access'
/** Clients of Kubernetes look for token, certificate and namespace there, below `/var`. */
const DIRECTORY = '/run/secrets/kubernetes.io/serviceaccount'

interface Access {
  readonly sandbox: Pick<SandboxKey, 'namespace'>
  readonly token: string
  readonly certificate: string
  readonly mountPath: string
}

/** The directory of the files. In most images `/var/run` is a link to `/run`, which walls do not follow. */
export async function apiMountPath(
  image: Pick<StoredImage, 'rootDirectory'> | null,
): Promise<string> {
  const link = image && (await lstat(path.join(image.rootDirectory, 'var/run')).catch(() => null))
  return link?.isSymbolicLink() ? DIRECTORY : `/var${DIRECTORY}`
}

/** A workload with the files and variables of its access to the API, as those of a pod. */
export function withApiAccess(workload: Workload, access: Omit<Access, 'token'>): Workload {
  const { apiAccess } = workload
  if (apiAccess === undefined) return workload
  const variables = [
    { name: 'KUBERNETES_SERVICE_HOST', value: API.host },
    { name: 'KUBERNETES_SERVICE_PORT', value: String(API.port) },
    { name: 'KUBERNETES_SERVICE_PORT_HTTPS', value: String(API.port) },
  ]
  const env = variables.map((each) => create(EnvVarSchema, each))
  const { token } = apiAccess
  return {
    ...workload,
    volumes: [...workload.volumes, apiVolume({ ...access, token })],
    env: [...env, ...workload.env],
    initContainers: workload.initContainers.map((init) => ({
      ...init,
      env: [...env, ...init.env],
    })),
  }
}

/** The volume with the files. */
export function apiVolume({ sandbox, token, certificate, mountPath }: Access): Volume {
  const files = Object.entries({ token, namespace: sandbox.namespace, 'ca.crt': certificate })
  return create(VolumeSchema, {
    name: NAME,
    mountPath,
    ephemeral: true,
    readOnly: true,
    content: { files: files.map(([name, text]) => ({ path: name, data: Buffer.from(text) })) },
  })
}

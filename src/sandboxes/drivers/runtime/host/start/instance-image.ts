import { create } from '@bufbuild/protobuf'
import { SandboxDriverError } from '../../../protocol/sandbox-driver-error.ts'
import {
  findImage,
  listContent,
  listImages,
  type StoredImage,
} from '../../../images/image-store.ts'
import {
  EnvVarSchema,
  type InitContainer,
  type Workload,
} from '../../../generated/proto/snapshot_driver_pb.ts'
import { mayUseImage } from '../../../protocol/image-users.ts'
import { requireCommand } from '../../instances/check-start-request.ts'
import type { SandboxRecord } from '../../records/sandbox-record.ts'
import type { Wall } from '../../walls/wall.ts'
import type { HostState } from '../host-state.ts'

/** The image of a workload; null without one. Throws if this machine does not have it. */
export async function imageOf(
  { images }: HostState,
  { image }: Pick<Workload, 'image'>,
): Promise<StoredImage | null> {
  if (image === '') return null
  const found = await findImage(images, image)
  if (found !== null) return found
  throw new SandboxDriverError(
    'FAILED_PRECONDITION',
    `the runtime does not have the image ${image}: register it again with flotilla sandbox images add`,
    { reason: 'ImageNotFound' },
  )
}

/**
 * Throws unless the sandbox may use its image: one of the names of the image is for its tenant and
 * namespace. A name can be removed, and the sandboxes that have started in the image keep it.
 */
export async function requireImageUser(
  { images }: HostState,
  { sandbox, current, previous }: SandboxRecord,
  { image, tenant }: Pick<Workload, 'image' | 'tenant'>,
): Promise<void> {
  if (image === '') return
  const named = (await listImages(images)).filter(({ digest }) => digest === image)
  const users = { tenant, namespace: sandbox.namespace }
  const isAllowed =
    named.length === 0
      ? [current, previous].some((run) => run?.image === image)
      : named.some((each) => mayUseImage(each, users))
  if (isAllowed) return
  const names = named.map(({ name }) => name).join(', ')
  throw new SandboxDriverError(
    'FAILED_PRECONDITION',
    named.length === 0
      ? `the image ${image} has no name any more, and the sandbox has not started in it: register it again with flotilla sandbox images add`
      : `the image ${names} is registered for other tenants or namespaces, and the namespace ${sandbox.namespace} may not use it`,
    { reason: 'ImageForbidden' },
  )
}

/** The workload with what the configuration of its image adds, as kubelet does. */
export async function completeWorkload(
  state: HostState,
  wall: Wall,
  workload: Workload,
): Promise<Workload> {
  const image = await imageOf(state, workload)
  if (image === null) return workload
  if (!wall.usesImages) {
    throw new SandboxDriverError(
      'FAILED_PRECONDITION',
      `the class ${wall.name} cannot use images: set runtimeClassName to bubblewrap or gvisor`,
      { reason: 'ImageNotFound' },
    )
  }
  const { env, entrypoint, cmd, workingDir } = image.config
  const program =
    workload.command.length > 0
      ? {}
      : { command: [...entrypoint], args: workload.args.length > 0 ? workload.args : [...cmd] }
  const complete: Workload = {
    ...workload,
    ...program,
    env: withVariables(env, workload.env),
    initContainers: workload.initContainers.map((init) => ({
      ...init,
      env: withVariables(env, init.env),
      workingDir: init.workingDir || workingDir,
    })),
    workingDir: workload.workingDir || workingDir,
  }
  requireCommand(complete)
  return complete
}

/** Later variables replace earlier ones. */
function withVariables(image: readonly string[], own: InitContainer['env']): InitContainer['env'] {
  const variables = image.map((text) => {
    const at = text.indexOf('=')
    return { name: text.slice(0, at), value: text.slice(at + 1) }
  })
  return [...variables.map((each) => create(EnvVarSchema, each)), ...own]
}

/** The images that workloads can use: by their names, and those that sandboxes still use. */
export async function runtimeImages({ images }: HostState) {
  const named = (await listImages(images)).map(({ name, digest, size, tenant, namespace }) => ({
    name,
    digest,
    tenant,
    namespace,
    sizeBytes: BigInt(size),
  }))
  const unnamed = (await listContent(images)).filter(
    (digest) => !named.some((each) => each.digest === digest),
  )
  const found = await Promise.all(unnamed.map((digest) => findImage(images, digest)))
  const used = found.filter((image) => image !== null)
  return [
    ...named,
    ...used.map(({ digest, size }) => ({ name: digest, digest, sizeBytes: BigInt(size) })),
  ]
}

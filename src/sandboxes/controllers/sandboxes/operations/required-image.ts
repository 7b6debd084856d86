import { isJsonObject } from 'flotilla'
import { type ImageUsers, mayUseImage } from '../../../drivers/protocol/image-users.ts'
import type { Workload } from '../../../model/workload.ts'
import type { SandboxProgress, SandboxState } from '../../../storage/sandbox-state.ts'
import type { ListedRuntime } from '../runtimes/runtime-directory.ts'
import type { NamedDigest } from '../runtimes/runtime-entry.ts'

/** An image that a runtime must have. */
export interface RequiredImage {
  readonly name: string
  /** Null before the first start, which decides it. */
  readonly digest: string | null
  /** The tenant and the namespace of the sandbox. */
  readonly users: ImageUsers
}

/** The image of the instance, or of the next one; null for the programs of the machine. */
export function recordedImage({ image }: SandboxProgress['details']): NamedDigest | null {
  if (!isJsonObject(image)) return null
  const { name, digest } = image
  return typeof name === 'string' && typeof digest === 'string' ? { name, digest } : null
}

/** The details with the image of the next instance. */
export function withImage(
  details: SandboxProgress['details'],
  image: NamedDigest | null,
): SandboxProgress['details'] {
  const { image: _former, ...others } = details
  return image === null ? others : { ...others, image: { ...image } }
}

interface Circumstances extends Pick<RequiredImage, 'users'> {
  readonly runtimes: readonly ListedRuntime[]
  /** Whether the next instance continues from a snapshot: it then starts as the former one did. */
  readonly isResume: boolean
}

/**
 * The image that the next instance needs; null for the programs of the machine. A sandbox keeps the
 * image of its first start unless its spec names another. Templates for other systems name images
 * that no runtime has: their command then runs with the programs of the machine, unless they forbid
 * it.
 */
export function requiredImage(
  { image: name, requiresImage, command }: Workload,
  { details, boot }: Pick<SandboxState, 'details' | 'boot'>,
  { runtimes, isResume, users }: Circumstances,
): RequiredImage | null {
  if (name === null) return null
  const recorded = recordedImage(details)
  if (recorded?.name === name) return { ...recorded, users }
  if (requiresImage || command.length === 0) return { name, digest: null, users }
  if (isResume && boot !== null && recorded === null) return null
  const isRegistered = runtimes.some(({ images }) => images.some((each) => isNamed(each, name)))
  return isRegistered ? { name, digest: null, users } : null
}

/** The image on a runtime; null if the runtime does not have it. */
export function imageOn(
  { images }: Pick<ListedRuntime, 'images'>,
  { name, digest, users }: RequiredImage,
): NamedDigest | null {
  const found = images.find(
    (each) =>
      (digest === null ? isNamed(each, name) : each.digest === digest) && mayUseImage(each, users),
  )
  return found === undefined ? null : { name, digest: found.digest }
}

/** An image that has lost its name is only for the sandboxes that have started in it. */
function isNamed({ name, digest }: NamedDigest, wanted: string): boolean {
  return name === wanted && name !== digest
}

/** Whether runtimes have an image, but none of them for the sandbox. */
export function isForbidden(
  image: RequiredImage,
  runtimes: readonly Pick<ListedRuntime, 'images'>[],
): boolean {
  const { name, digest } = image
  const isWanted = (each: NamedDigest) =>
    digest === null ? isNamed(each, name) : each.digest === digest
  return (
    runtimes.some(({ images }) => images.some(isWanted)) &&
    runtimes.every((runtime) => imageOn(runtime, image) === null)
  )
}

/** Why a sandbox may not use an image that runtimes have. */
export function forbiddenMessage({ name, users: { namespace } }: RequiredImage): string {
  return `the image ${JSON.stringify(name)} is registered for other tenants or namespaces, and the namespace "${namespace}" may not use it: use another image, or register it for all or under another name with flotilla sandbox images add`
}

/** Why no runtime can start a sandbox in its image. */
export function imageMessage(
  { name, digest, users }: RequiredImage,
  runtimes: readonly ListedRuntime[],
): string {
  const having = runtimes.filter((runtime) => imageOn(runtime, { name, digest, users }) !== null)
  const which = digest === null ? `"${name}"` : `"${name}" of its first start (${digest})`
  const remedy = `register it on the machine of a runtime: flotilla sandbox images add ${name} PATH`
  if (having.length === 0) return `No runtime has the image ${which}; ${remedy}`
  const live = having.filter(({ isLive }) => isLive).map((each) => each.name)
  const holders = having.map((each) => each.name).join(', ')
  return live.length === 0
    ? `No live runtime has the image ${which}, only ${holders}; start it, or ${remedy}`
    : `No runtime can start the sandbox in the image ${which}, which only ${holders} has: it needs the class bubblewrap or gvisor, a free place, and the files of the sandbox; process cannot use images`
}

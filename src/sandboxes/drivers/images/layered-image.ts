import { arch } from 'node:os'
import { badImage, quote } from './bad-image.ts'
import { type Blobs, readDocument } from './blobs.ts'
import { checkDigest, verified } from './digests.ts'
import { fieldsOf } from './image-config.ts'
import type { ImageLimits } from './image-limits.ts'

/** A layer and its digests. */
interface Layer {
  readonly file: string
  /** The digest of the file; null if the format states none. */
  readonly digest: string | null
  /** The digest of its archive without compression. */
  readonly diffId: string
}

/** The layers of an image, the lowest first, and the document with its configuration. */
export interface LayeredImage {
  readonly layers: readonly Layer[]
  readonly config: unknown
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64' }
const MAX_INDEXES = 4

/** Reads the manifest and the configuration of an OCI image layout, and checks their digests. */
export async function readLayout(blobs: Blobs, limits: ImageLimits): Promise<LayeredImage> {
  let document = await readDocument(blobs.read('index.json'), 'index.json', limits)
  for (let depth = 0; Array.isArray(fieldsOf(document)['manifests']); depth += 1) {
    if (depth > MAX_INDEXES) throw badImage('its indexes are nested too deeply')
    document = await readBlob(blobs, chooseManifest(listOf(document, 'manifests')), limits)
  }
  const manifest = fieldsOf(document)
  const config = await readBlob(blobs, manifest['config'], limits)
  const digests = listOf(manifest, 'layers').map((layer) => checkDigest(fieldsOf(layer)['digest']))
  const layers = digests.map((digest) => ({ file: fileOf(digest), digest }))
  return { config, layers: withDiffIds(layers, config, limits) }
}

/** Reads the manifest and the configuration of an archive of `docker save`. */
export async function readSavedImage(blobs: Blobs, limits: ImageLimits): Promise<LayeredImage> {
  const images = await readDocument(blobs.read('manifest.json'), 'manifest.json', limits)
  const [image, ...others] = Array.isArray(images) ? images.map(fieldsOf) : []
  if (image === undefined) throw badImage('manifest.json lists no image')
  if (others.length > 0) throw badImage('the archive has several images: save one')
  const name = image['Config']
  if (typeof name !== 'string') throw badImage('manifest.json names no configuration')
  const hex = /([0-9a-f]{64})(\.json)?$/.exec(name)?.[1]
  const content = verified(blobs.read(name), checkDigest(`sha256:${hex}`), quote(name))
  const config = await readDocument(content, name, limits)
  const layers = listOf(image, 'Layers').map((file) => {
    if (typeof file !== 'string') throw badImage('manifest.json has a layer without a name')
    return { file, digest: null }
  })
  return { config, layers: withDiffIds(layers, config, limits) }
}

async function readBlob(blobs: Blobs, descriptor: unknown, limits: ImageLimits): Promise<unknown> {
  const digest = checkDigest(fieldsOf(descriptor)['digest'])
  const file = fileOf(digest)
  return readDocument(verified(blobs.read(file), digest, quote(file)), file, limits)
}

function fileOf(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`
}

/** The only manifest for this machine. */
function chooseManifest(manifests: readonly unknown[]): unknown {
  const architecture = ARCHITECTURES[arch()] ?? arch()
  const suitable = manifests.filter((manifest) => {
    const { platform } = fieldsOf(manifest)
    const { os = 'linux', architecture: wanted = architecture } = fieldsOf(platform)
    return os === 'linux' && wanted === architecture
  })
  if (suitable.length === 1) return suitable[0]
  const what = suitable.length === 0 ? 'no image' : `${suitable.length} images`
  throw badImage(`the layout has ${what} for linux/${architecture}, and exactly one is needed`)
}

function withDiffIds(
  layers: readonly Omit<Layer, 'diffId'>[],
  config: unknown,
  limits: ImageLimits,
): readonly Layer[] {
  const diffIds = listOf(fieldsOf(config)['rootfs'], 'diff_ids').map(checkDigest)
  if (layers.length > limits.layers) throw badImage(`it has more than ${limits.layers} layers`)
  if (layers.length !== diffIds.length) {
    throw badImage(`it has ${layers.length} layers, and its configuration ${diffIds.length}`)
  }
  return layers.map((layer, index) => ({ ...layer, diffId: checkDigest(diffIds[index]) }))
}

function listOf(document: unknown, field: string): readonly unknown[] {
  const value = fieldsOf(document)[field]
  if (Array.isArray(value)) return value
  throw badImage(`its documents have no list ${field}`)
}

import type { MessageInitShape } from '@bufbuild/protobuf'
import { textMapOf } from 'flotilla'
import type { PlaneClient } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import type { ContentSource } from '../../../model/volume-content.ts'
import { mountedVolumes } from '../../../model/workload.ts'
import type { VolumeFileSchema } from '../../../drivers/generated/proto/snapshot_driver_pb.ts'
import type { ObservedSandbox } from './observed-sandbox.ts'
import { readSource } from './read-source.ts'

type VolumeFile = MessageInitShape<typeof VolumeFileSchema>

/** The files of volumes by name, or the source that does not exist. */
export type ResolvedVolumes =
  | { readonly contents: ReadonlyMap<string, readonly VolumeFile[]> }
  | { readonly missing: string }

const KINDS = { secret: 'Secret', configMap: 'ConfigMap' } as const
const EXECUTE = 0o111

/** Reads the files of volumes from Secrets and ConfigMaps. */
export async function resolveVolumes(
  client: PlaneClient,
  { spec, ref }: ObservedSandbox,
): Promise<ResolvedVolumes> {
  const contents = new Map<string, readonly VolumeFile[]>()
  for (const { name, content } of mountedVolumes(spec.workload)) {
    if (content === null || contents.has(name)) continue
    const files = new Map<string, VolumeFile>()
    for (const source of content) {
      const object = await readSource(client, ref.namespace, source)
      const resolved = filesOf(source, object)
      if ('missing' in resolved) return { missing: `volume ${name}: ${resolved.missing}` }
      for (const [path, file] of resolved.files) files.set(path, file)
    }
    contents.set(name, [...files.values()])
  }
  return { contents }
}

type Files = { readonly files: ReadonlyMap<string, VolumeFile> } | { readonly missing: string }

function filesOf(source: ContentSource, object: ApiObject | null): Files {
  const { type, name, optional, items, mode } = source
  const title = `${KINDS[type]} ${name}`
  if (object === null && !optional) return { missing: `${title} does not exist` }
  const data = object === null ? new Map<string, Buffer>() : dataOf(type, object)
  const wanted = items ?? [...data.keys()].map((key) => ({ key, path: key, mode }))
  const files = new Map<string, VolumeFile>()
  for (const item of wanted) {
    const bytes = data.get(item.key)
    if (bytes !== undefined) {
      const executable = (item.mode & EXECUTE) !== 0
      files.set(item.path, { path: item.path, data: new Uint8Array(bytes), executable })
    } else if (!optional) return { missing: `${title} has no key ${item.key}` }
  }
  return { files }
}

function dataOf(type: ContentSource['type'], object: ApiObject): ReadonlyMap<string, Buffer> {
  const texts = Object.entries(textMapOf(object['data']))
  const binary = Object.entries(textMapOf(object['binaryData']))
  const encoding = type === 'secret' ? 'base64' : 'utf8'
  return new Map([
    ...texts.map(([key, value]) => [key, Buffer.from(value, encoding)] as const),
    ...binary.map(([key, value]) => [key, Buffer.from(value, 'base64')] as const),
  ])
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

/** Writes an OCI image layout of a root file system with a configuration. Returns its directory. */
export async function writeLayout(
  layout: string,
  root: string,
  config: Readonly<Record<string, unknown>>,
): Promise<string> {
  await rm(layout, { recursive: true, force: true })
  const blobs = path.join(layout, 'blobs/sha256')
  await mkdir(blobs, { recursive: true })
  const add = async (bytes: Buffer) => {
    const hex = createHash('sha256').update(bytes).digest('hex')
    await writeFile(path.join(blobs, hex), bytes)
    return { digest: `sha256:${hex}`, size: bytes.length }
  }
  const tar = ['--create', '--directory', root, '.']
  const { stdout } = await promisify(execFile)('tar', tar, {
    encoding: 'buffer',
    maxBuffer: 2 ** 28,
  })
  const layer = await add(stdout)
  const document = { config, rootfs: { type: 'layers', diff_ids: [layer.digest] } }
  const manifest = { config: await add(Buffer.from(JSON.stringify(document))), layers: [layer] }
  const manifests = [await add(Buffer.from(JSON.stringify(manifest)))]
  await writeFile(path.join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  await writeFile(path.join(layout, 'index.json'), JSON.stringify({ manifests }))
  await chmod(layout, 0o755)
  return layout
}

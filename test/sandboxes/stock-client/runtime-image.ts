import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { addProgram, writeMinimalRoot } from '../images/minimal-root.ts'

const run = promisify(execFile)
const PYTHON = '/usr/bin/python3'
/** Modules that nothing in the image imports. */
const LEFT_OUT = new Set([
  '__pycache__',
  'dist-packages',
  'ensurepip',
  'idlelib',
  'lib2to3',
  'test',
])

/**
 * Writes an OCI image layout with agent-sandbox's runtime: Python of this machine runs `runtime.py` as
 * the entrypoint. Returns the path of the layout, in the directory.
 */
export async function writeRuntimeImage(directory: string): Promise<string> {
  const root = path.join(directory, 'root')
  await writeRoot(root)
  const layout = path.join(directory, 'layout')
  await mkdir(path.join(layout, 'blobs/sha256'), { recursive: true })
  const layer = path.join(directory, 'layer.tar')
  await run('tar', ['-cf', layer, '-C', root, '.'])
  const files = await readFile(layer)
  const { digest } = await writeBlob(layout, files)
  const config = await writeBlob(layout, {
    os: 'linux',
    rootfs: { type: 'layers', diff_ids: [digest] },
    config: { Entrypoint: [PYTHON, '/app/runtime.py'], WorkingDir: '/workspace' },
  })
  const manifest = await writeBlob(layout, {
    schemaVersion: 2,
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
    layers: [
      { mediaType: 'application/vnd.oci.image.layer.v1.tar', digest, size: files.byteLength },
    ],
  })
  const mediaType = 'application/vnd.oci.image.manifest.v1+json'
  const index = { schemaVersion: 2, manifests: [{ mediaType, ...manifest }] }
  await writeFile(path.join(layout, 'index.json'), JSON.stringify(index))
  await writeFile(path.join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  return layout
}

async function writeRoot(root: string): Promise<void> {
  await writeMinimalRoot(root)
  for (const program of ['/usr/bin/tail', '/usr/bin/wc', PYTHON]) await addProgram(root, program)
  const print = 'import os; print(os.path.dirname(os.__file__))'
  const library = (await run(PYTHON, ['-c', print])).stdout.trim()
  await cp(library, path.join(root, library), {
    recursive: true,
    // Compiled modules are valid for the times of their sources.
    preserveTimestamps: true,
    filter: (source) => !LEFT_OUT.has(path.basename(source)),
  })
  await mkdir(path.join(root, 'app'))
  await cp(path.join(import.meta.dirname, 'runtime.py'), path.join(root, 'app/runtime.py'))
}

async function writeBlob(layout: string, content: Buffer | object) {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
  const hex = createHash('sha256').update(bytes).digest('hex')
  await writeFile(path.join(layout, 'blobs/sha256', hex), bytes)
  return { digest: `sha256:${hex}`, size: bytes.byteLength }
}

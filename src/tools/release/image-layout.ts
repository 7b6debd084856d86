import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Bom, readNpmBom, timestampOf, writeBom } from './bills-of-materials.ts'
import { imageBom, type ImageContent, PACKAGE_FORMAT } from './image-bill.ts'
import { run } from './run.ts'
import type { Stage } from './source-stage.ts'

type Buildah = (...args: readonly string[]) => Promise<string>

interface ImageOptions {
  /** The folder of the layout. */
  readonly out: string
  /** The file of its bill of materials. */
  readonly bill: string
  readonly base: string | null
}

/**
 * Builds the image as an OCI layout, without a daemon. Returns null, or the reason why this machine
 * cannot build it.
 */
export async function buildImage(
  stage: Stage,
  { out, bill, base }: ImageOptions,
): Promise<string | null> {
  const buildah: Buildah = (...args) =>
    run('buildah', args, { cwd: stage.folder, env: { BUILDAH_ISOLATION: 'chroot' } })
  const missing = await buildah('--version').then(
    () => null,
    () => 'buildah is not installed',
  )
  if (missing !== null) return missing
  const argument = base ?? (await defaultBase(stage))
  const pulled = await buildah('pull', '--quiet', '--policy', 'missing', argument).then(
    () => true,
    () => false,
  )
  if (!pulled) return `the base image ${argument} cannot be pulled`
  const name = `flotilla:${stage.version}`
  const values = [`NODE_IMAGE=${argument}`, `REVISION=${stage.commit}`, `VERSION=${stage.version}`]
  const given = values.flatMap((value) => ['--build-arg', value])
  const fixed = ['--pull-never', '--timestamp', stage.time]
  await buildah('bud', '--quiet', ...fixed, ...given, '--tag', name, '.')
  const layout = path.join(out, 'flotilla')
  await buildah('push', '--quiet', name, `oci:${layout}:${stage.version}`)
  const content = await readContent(buildah, name, await readNpmBom(stage, []))
  const identity = {
    version: stage.version,
    digest: await digestOf(layout),
    time: timestampOf(stage),
  }
  await writeBom(bill, imageBom(content, identity))
  return null
}

/** Runs programs of the image that list its content. */
async function readContent(buildah: Buildah, image: string, locked: Bom): Promise<ImageContent> {
  const container = (await buildah('from', '--pull-never', image)).trim()
  const read = (...command: readonly string[]) => buildah('run', container, '--', ...command)
  try {
    return {
      system: await read('cat', '/etc/os-release'),
      packages: await read('dpkg-query', '--show', '--showformat', PACKAGE_FORMAT),
      node: await read('node', '--version'),
      installed: await read('cat', 'node_modules/.package-lock.json'),
      locked,
    }
  } finally {
    await buildah('rm', container)
  }
}

/** The digest of the only manifest of a layout. */
async function digestOf(layout: string): Promise<string> {
  const { manifests } = JSON.parse(await readFile(path.join(layout, 'index.json'), 'utf8'))
  return manifests[0].digest
}

async function defaultBase(stage: Stage): Promise<string> {
  const text = await run('sed', ['-n', 's/^ARG NODE_IMAGE=//p', 'Dockerfile'], {
    cwd: stage.folder,
  })
  return text.trim()
}

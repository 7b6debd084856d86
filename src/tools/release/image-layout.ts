import path from 'node:path'
import { run } from './run.ts'
import type { Stage } from './source-stage.ts'

/**
 * Builds the image as an OCI layout, without a daemon. Returns null, or the reason why this machine
 * cannot build it.
 */
export async function buildImage(
  stage: Stage,
  { out, base }: { readonly out: string; readonly base: string | null },
): Promise<string | null> {
  const buildah = (...args: readonly string[]) =>
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
  await buildah('push', '--quiet', name, `oci:${path.join(out, 'flotilla')}:${stage.version}`)
  return null
}

async function defaultBase(stage: Stage): Promise<string> {
  const text = await run('sed', ['-n', 's/^ARG NODE_IMAGE=//p', 'Dockerfile'], {
    cwd: stage.folder,
  })
  return text.trim()
}

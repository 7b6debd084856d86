import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildTargetIfStale } from '../../../src/tools/build-target.mjs'
import { TEST_CACHE } from '../../support/module-cache.ts'
import { installTool } from '../run-tool.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** The module that names the version of each module of Kubernetes. */
const MODULE = 'test/drills/kubernetes-conformance/go'
/** The first build compiles most of Kubernetes. */
const BUILD_TIMEOUT_MS = 3_600_000
/** kubectl does not start its version command without a version. */
const VERSION_FLAG = '-X k8s.io/component-base/version.gitVersion=v1.35.0'
const RELEASE = ['-ldflags', VERSION_FLAG]

/** The arguments of Go that build each program. */
const BUILDS = {
  'e2e.test': ['test', '-c', '-vet=off', ...RELEASE, 'k8s.io/kubernetes/test/e2e'],
  kubectl: ['build', ...RELEASE, 'k8s.io/kubernetes/cmd/kubectl'],
} as const

/**
 * Builds a program of Kubernetes, unless the cache has it for this version, and returns its file.
 * Throws `Skipped` if this machine cannot build it.
 */
export async function buildProgram(name: keyof typeof BUILDS): Promise<string> {
  const out = path.join(TEST_CACHE, `kubernetes-${name}`)
  await buildTargetIfStale({
    name: `${name} of Kubernetes`,
    root: ROOT,
    out,
    sources: [MODULE],
    build: async (folder: string) => {
      await mkdir(folder)
      const [command, ...args] = BUILDS[name]
      await installTool('go', [command, '-o', path.join(folder, name), ...args], {
        cwd: path.join(ROOT, MODULE),
        // An old Go skips the drill instead of downloading a newer one.
        env: { GOTOOLCHAIN: 'local' },
        timeoutMs: BUILD_TIMEOUT_MS,
      })
    },
  })
  return path.join(ROOT, out, name)
}

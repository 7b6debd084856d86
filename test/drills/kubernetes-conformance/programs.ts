import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildTargetIfStale } from '../../../src/tools/build-target.mjs'
import { TEST_CACHE } from '../../support/module-cache.ts'
import { installTool } from '../run-tool.ts'

/** A release of Kubernetes whose suites run. */
export type Release = '1.35' | '1.36'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** The first build compiles most of Kubernetes. */
const BUILD_TIMEOUT_MS = 7_200_000

/** The modules of each release, with the version that kubectl and the servers report. */
const RELEASES = {
  '1.35': { folder: 'go-1.35', version: 'v1.35.0' },
  '1.36': { folder: 'go-1.36', version: 'v1.36.3' },
} as const

/** The package of each program. */
const PACKAGES = {
  'e2e.test': 'k8s.io/kubernetes/test/e2e',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  etcd: 'go.etcd.io/etcd/server/v3',
} as const

/** The module that names the version of each module of a release, relative to the repository. */
function moduleOf(release: Release): string {
  return `test/drills/kubernetes-conformance/${RELEASES[release].folder}`
}

/** The folder of {@link moduleOf}. */
export function moduleFolder(release: Release): string {
  return path.join(ROOT, moduleOf(release))
}

/**
 * Builds a program of a release, unless the cache has it for these modules, and returns its file.
 * Throws `Skipped` if this machine cannot build it.
 */
export async function buildProgram(name: keyof typeof PACKAGES, release: Release): Promise<string> {
  const out = path.join(TEST_CACHE, `kubernetes-${release}-${name}`)
  // Programs of Kubernetes do not start without a version.
  const flag = `-X k8s.io/component-base/version.gitVersion=${RELEASES[release].version}`
  const build = name === 'e2e.test' ? ['test', '-c', '-vet=off'] : ['build']
  await buildTargetIfStale({
    name: `${name} of Kubernetes ${release}`,
    root: ROOT,
    out,
    sources: [moduleOf(release)],
    build: async (folder: string) => {
      await mkdir(folder)
      const args = ['-o', path.join(folder, name), '-ldflags', flag, PACKAGES[name]]
      await installTool('go', [...build, ...args], {
        cwd: moduleFolder(release),
        // An old Go skips the drill instead of downloading a newer one.
        env: { GOTOOLCHAIN: 'local' },
        timeoutMs: BUILD_TIMEOUT_MS,
      })
    },
  })
  return path.join(ROOT, out, name)
}

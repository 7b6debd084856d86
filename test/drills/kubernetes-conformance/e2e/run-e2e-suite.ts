import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { must } from '../../../../src/lib/assert.ts'
import { startProgram } from '../../../process/program.ts'
import { kubeconfig } from '../../kubernetes-clients/plane-workspace.ts'
import { runTool } from '../../run-tool.ts'
import { buildProgram, type Release } from '../programs.ts'
import { recordResults } from '../results.ts'
import { startKubernetes } from '../start-kubernetes.ts'
import { compareSpecs, namesOf, type SpecReport } from './compare-specs.ts'
import { EXPECTED } from './expected-failures.ts'
import { startKubernetesService } from './kubernetes-service.ts'

const TIMEOUT_MS = 5_400_000
/** The specs of the API server, of authorization, of events, and of the objects that planes have. */
const FOCUS =
  'sig-api-machinery|sig-auth|sig-instrumentation\\] Events|\\[sig-node\\] (ConfigMap|Secrets|Lease|PodTemplates) '
/**
 * Without specs of features that are off by default, except for those that planes have, and without
 * specs that restart machines, fail at random or last long.
 */
const LABELS =
  'Feature:MutatingAdmissionPolicy || !(/^Feature:.*/ || Disruptive || Flaky || Slow || BetaOffByDefault)'
const OPTIONS = [
  // A plane has no nodes.
  '--allowed-not-ready-nodes=-1',
  '--num-nodes=0',
  `--ginkgo.focus=${FOCUS}`,
  `--ginkgo.label-filter=${LABELS}`,
  '--ginkgo.no-color',
]
/** Planes check permissions and serve mutating policies. */
const KUBERNETES_ARGS = [
  '--authorization-mode=RBAC',
  '--feature-gates=MutatingAdmissionPolicy=true',
  '--runtime-config=admissionregistration.k8s.io/v1beta1=true',
]

/** A run of the suite. */
interface Run {
  readonly release: Release
  /** An empty folder. */
  readonly folder: string
  /** Names of specs that do not run. */
  readonly without: readonly string[]
}

/** Runs Kubernetes' e2e suite against a root plane and Kubernetes. Prints how many specs pass. */
export async function runE2eSuite(release: Release): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-e2e-'))
  const run = async (name: string): Promise<Run> => {
    const own = path.join(folder, name)
    await mkdir(own)
    return { release, folder: own, without: namesOf(EXPECTED[release].excluded) }
  }
  try {
    // Both wait most of the time.
    const [planes, kubernetes] = await Promise.all([
      run('planes').then(runOnPlane),
      run('kubernetes').then(runOnKubernetes),
    ])
    await recordResults(release, 'e2e', compareSpecs(planes, kubernetes, EXPECTED[release]))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The server has the certificates of `kube-root-ca.crt`. */
async function runOnPlane(run: Run): Promise<readonly SpecReport[]> {
  await using server = startProgram({ DATA_DIR: run.folder, TLS: 'self-signed=true' })
  const { port } = await server.ready()
  const caFile = path.join(run.folder, 'tls', 'ca.crt')
  await using service = await startKubernetesService({
    origin: `https://127.0.0.1:${port}`,
    caFile,
  })
  const config = path.join(run.folder, 'kubeconfig')
  await writeFile(config, kubeconfig(service.origin))
  return await runSpecs(run, config)
}

/** Without the specs that are not applicable to planes: most of them wait for pods that run. */
async function runOnKubernetes(run: Run): Promise<readonly SpecReport[]> {
  await using kubernetes = await startKubernetes({ ...run, args: KUBERNETES_ARGS })
  const without = [...run.without, ...namesOf(EXPECTED[run.release].notApplicable)]
  return await runSpecs({ ...run, without }, kubernetes.config)
}

/** The part of Ginkgo's report that is read here. */
interface Suite {
  readonly SpecReports: readonly SpecReport[]
}

async function runSpecs(
  { release, folder, without }: Run,
  config: string,
): Promise<readonly SpecReport[]> {
  const program = await buildProgram('e2e.test', release)
  const report = path.join(folder, 'report.json')
  const skip = `--ginkgo.skip=${without.map(escapePattern).join('|')}`
  const args = [`--kubeconfig=${config}`, `--ginkgo.json-report=${report}`, ...OPTIONS, skip]
  try {
    await runTool(program, args, { cwd: folder, timeoutMs: TIMEOUT_MS })
  } catch (error) {
    // It fails if a spec fails, and then writes its report.
    if (!existsSync(report)) throw error
  }
  const [suite]: readonly Suite[] = JSON.parse(await readFile(report, 'utf8'))
  return must(suite, 'a suite').SpecReports
}

/** A pattern of exactly this name, which may be the beginning of another one. */
function escapePattern(name: string): string {
  return `${name.replaceAll(/[[\]().+*?|]/g, String.raw`\$&`)}$`
}

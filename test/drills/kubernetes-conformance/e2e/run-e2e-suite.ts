import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { must } from '../../../../src/lib/assert.ts'
import { startProgram } from '../../../process/program.ts'
import { kubeconfig } from '../../kubernetes-clients/plane-workspace.ts'
import { runTool } from '../../run-tool.ts'
import { buildProgram } from '../programs.ts'
import { compareSpecs, namesOf, type SpecCounts, type SpecReport } from './compare-specs.ts'
import { startKubernetesService } from './kubernetes-service.ts'
import { COUNTS, DIFFERENCES, EXCLUDED, NOT_APPLICABLE, SKIPPED } from './expected-failures.ts'

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
  `--ginkgo.skip=${namesOf(EXCLUDED).map(escapePattern).join('|')}`,
  `--ginkgo.label-filter=${LABELS}`,
  '--ginkgo.no-color',
]

/** Runs Kubernetes' e2e suite against a root plane and prints how many specs pass. */
export async function runE2eSuite(): Promise<void> {
  const program = await buildProgram('e2e.test')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-e2e-'))
  try {
    const { errors, ...counts } = compareSpecs(await runSpecs(program, folder), {
      notApplicable: NOT_APPLICABLE,
      excluded: EXCLUDED,
      skipped: SKIPPED,
      differences: DIFFERENCES,
    })
    printTable(counts)
    assert.deepEqual(errors, [])
    assert.deepEqual(counts, COUNTS)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The part of Ginkgo's report that is read here. */
interface Suite {
  readonly SpecReports: readonly SpecReport[]
}

/** Runs the specs against a server that has the certificates of `kube-root-ca.crt`. */
async function runSpecs(program: string, folder: string): Promise<readonly SpecReport[]> {
  await using server = startProgram({ DATA_DIR: folder, TLS: 'self-signed=true' })
  const { port } = await server.ready()
  const caFile = path.join(folder, 'tls', 'ca.crt')
  await using service = await startKubernetesService({
    origin: `https://127.0.0.1:${port}`,
    caFile,
  })
  const config = path.join(folder, 'kubeconfig')
  await writeFile(config, kubeconfig(service.origin))
  const report = path.join(folder, 'report.json')
  const args = [`--kubeconfig=${config}`, `--ginkgo.json-report=${report}`, ...OPTIONS]
  try {
    await runTool(program, args, { cwd: folder, timeoutMs: TIMEOUT_MS })
  } catch (error) {
    // It fails if a spec fails, and then writes its report.
    if (!existsSync(report)) throw error
  }
  const [suite]: readonly Suite[] = JSON.parse(await readFile(report, 'utf8'))
  return must(suite, 'a suite').SpecReports
}

function escapePattern(name: string): string {
  return name.replaceAll(/[[\]().]/g, String.raw`\$&`)
}

function printTable({ applicable, conformance, notApplicable, skipped }: SpecCounts): void {
  const row = (name: string, { passed, specs }: SpecCounts['applicable']): string =>
    `${name.padEnd(24)} ${passed} of ${specs}`
  console.log(row('e2e', applicable))
  console.log(row('of these Conformance', conformance))
  console.log(`${'not applicable'.padEnd(24)} ${notApplicable}`)
  console.log(`${'skip themselves'.padEnd(24)} ${skipped}`)
}

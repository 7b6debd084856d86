import assert from 'node:assert/strict'
import path from 'node:path'
import { kubectlPrograms } from '../../planes/clients/kubectl.ts'
import { type Drill, Skipped } from '../drill.ts'
import { runTestFiles, runTestFilesWith } from '../run-test-files.ts'
import { loadDefinitions } from './definitions/load-definitions.ts'
import { inPlane, inTemporaryCopy, type Tools } from './plane-workspace.ts'

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0'
/** kubectl does not start its version command without a version. */
const VERSION_FLAG = '-X k8s.io/component-base/version.gitVersion=v1.35.0'
const KUBECTL_TESTS = 'test/planes/clients/kubectl.drill.ts'
/** Tests that one current version of kubectl suffices for. */
const MORE_TESTS = [
  'test/planes/clients/kubectl-access.drill.ts',
  'test/planes/clients/kubectl-tls.drill.ts',
  'test/planes/acceptance/workflow.drill.ts',
  'test/sandboxes/kinds/kubectl.drill.ts',
  'test/fleets/kubectl.drill.ts',
  'test/documentation/command-pages.drill.ts',
  'test/documentation/planes-page.drill.ts',
  'test/documentation/readme-tour.drill.ts',
]

/** Runs clients of Kubernetes, which know nothing about this server, against a plane. */
export const kubernetesClients: Drill = {
  summary: 'clients of Kubernetes against a plane',
  cases: [
    { name: 'kubectl-installed', run: runInstalledKubectl },
    { name: 'kubectl-debian', run: runDebianKubectl },
    { name: 'python', run: runPython },
    { name: 'kubectl-current', run: runCurrentKubectl },
    { name: 'go', run: runGo },
    { name: 'metadata-caches', run: runMetadataCaches },
    { name: 'helm', run: runHelm },
    { name: 'definitions', run: loadDefinitions },
  ],
}

/** All tests of kubectl with the version on PATH, which must be a current one. */
async function runInstalledKubectl(): Promise<void> {
  if (kubectlPrograms().length === 0) throw new Skipped('no kubectl on PATH')
  await runTestFiles(KUBECTL_TESTS, ...MORE_TESTS)
}

/** The tests of kubectl with Debian's version, 1.20. */
function runDebianKubectl(): Promise<void> {
  return inTemporaryCopy('kubectl', async ({ folder, install, run }) => {
    await install('apt-get', ['download', 'kubernetes-client'])
    await run('sh', ['-c', 'dpkg-deb --extract kubernetes-client_*.deb .'])
    await testKubectl(path.join(folder, 'usr/bin'))
  })
}

/** The tests of kubectl with the version whose behavior planes implement. */
function runCurrentKubectl(): Promise<void> {
  return inTemporaryCopy('kubectl', async ({ folder, install }) => {
    await install('go', ['build', '-ldflags', VERSION_FLAG, '-o', 'kubectl', '.'])
    await testKubectl(folder)
  })
}

/** Runs the tests of the commands with the kubectl of a folder. */
function testKubectl(folder: string): Promise<void> {
  const PATH = [folder, process.env['PATH']].join(path.delimiter)
  return runTestFilesWith({ PATH }, [KUBECTL_TESTS])
}

/** Informers, leader election and a controller in Go. */
function runGo(): Promise<void> {
  return inPlane('go', async ({ install, run, url }) => {
    await install('go', ['build', '-o', 'clients', '.'])
    await run('./clients', [url])
  })
}

/** Caches of controller-runtime that hold metadata only keep their watches for ten minutes. */
function runMetadataCaches(): Promise<void> {
  return inPlane('go', async ({ install, run, url }) => {
    await install('go', ['build', '-o', 'clients', '.'])
    await run('./clients', [url, '10m'], 900_000)
  })
}

function runPython(): Promise<void> {
  return inPlane('python', async ({ install, run, url }) => {
    await install('python3', ['-m', 'venv', 'venv'])
    await install('venv/bin/pip', ['install', '--quiet', '--requirement', 'requirements.txt'])
    await run('venv/bin/python', ['main.py', url])
  })
}

/** Installs, upgrades and uninstalls a chart with a definition and an instance of it. */
function runHelm(): Promise<void> {
  return inPlane('helm', async (tools) => {
    const { folder, install, run, url } = tools
    await install('env', [`GOBIN=${folder}/bin`, 'go', 'install', HELM])
    const helm = (...args: string[]) => run('bin/helm', [...args, '--namespace', 'default'])
    await helm('install', 'shop', 'chart', '--wait', '--kubeconfig', 'kubeconfig')
    assert.equal(await colorOf(tools), 'red')
    await helm('upgrade', 'shop', 'chart', '--set', 'color=blue', '--kubeconfig', 'kubeconfig')
    assert.equal(await colorOf(tools), 'blue')
    assert.match(await helm('history', 'shop', '--kubeconfig', 'kubeconfig'), /superseded/)
    await helm('rollback', 'shop', '1', '--kubeconfig', 'kubeconfig')
    assert.equal(await colorOf(tools), 'red')
    await helm('uninstall', 'shop', '--wait', '--kubeconfig', 'kubeconfig')
    const gadget = `${url}/apis/chart.example.com/v1/namespaces/default/gadgets/shop`
    assert.equal((await fetch(gadget)).status, 404)
  })
}

/** The color in the release's config map and in its gadget, which must be equal. */
async function colorOf({ url }: Tools & { readonly url: string }): Promise<string> {
  const read = async (resource: string): Promise<Colored> => {
    const response = await fetch(`${url}${resource}`)
    const text = await response.text()
    if (!response.ok) throw new Error(`${resource}: ${text}`)
    return JSON.parse(text)
  }
  const map = await read('/api/v1/namespaces/default/configmaps/shop-settings')
  const gadget = await read('/apis/chart.example.com/v1/namespaces/default/gadgets/shop')
  assert.equal(gadget.spec?.color, map.data?.color)
  return map.data?.color ?? ''
}

/** An object with a color in its data or spec. */
interface Colored {
  readonly data?: { readonly color: string }
  readonly spec?: { readonly color: string }
}

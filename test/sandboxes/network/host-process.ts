import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import type { NetworkPolicy } from '../../../src/sandboxes/drivers/runtime/network/network-policy.ts'
import type {
  NetworkRecord,
  SandboxNetwork,
} from '../../../src/sandboxes/drivers/runtime/network/sandbox-networks.ts'
import type { HostAnswer, HostCall } from './network-host.ts'

/** The networks of a runtime in a process that a test can kill. */
export interface HostProcess {
  readonly modes: readonly string[]
  readonly problem: string
  attach(uid: string, policy: NetworkPolicy, directory: string): Promise<SandboxNetwork>
  release(address: string): Promise<void>
  close(): Promise<void>
  kill(): Promise<void>
}

/** Bundles the program once per directory, because it starts faster than through tsx. */
async function bundleHost(directory: string): Promise<string> {
  const outfile = path.join(directory, 'network-host.mjs')
  if (existsSync(outfile)) return outfile
  await build({
    entryPoints: [path.join(import.meta.dirname, 'network-host.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // Packages in CommonJS require modules of Node.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
    logLevel: 'error',
  })
  return outfile
}

/** Starts the networks with a prefix such as that of a simulated machine. */
export async function startHost(
  prefix: readonly string[],
  directory: string,
  live: readonly NetworkRecord[] = [],
): Promise<HostProcess> {
  const script = await bundleHost(path.dirname(directory))
  const command = [process.execPath, script, directory, JSON.stringify(live)]
  const [program = '', ...parameters] = [...prefix, ...command]
  const child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

  async function read<Answer extends HostAnswer>(): Promise<Answer> {
    const line = await lines.next()
    if (line.done === true) throw new Error('the host has ended')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the host writes it
    const answer = JSON.parse(line.value) as Answer | { error: string }
    if ('error' in answer) throw new Error(answer.error)
    return answer
  }

  function call<Answer extends HostAnswer>(request: HostCall): Promise<Answer> {
    child.stdin.write(`${JSON.stringify(request)}\n`)
    return read<Answer>()
  }

  const { modes, problem } = await read<{ modes: string[]; problem: string }>()
  return {
    modes,
    problem,
    attach: (uid, policy, files) => call({ name: 'attach', uid, policy, directory: files }),
    release: async (address) => void (await call({ name: 'release', address })),
    close: async () => {
      await call({ name: 'close' })
      await ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

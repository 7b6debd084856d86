/**
 * Runs the networks of a runtime on a simulated machine. Reads calls from its standard input, one
 * per line, and answers each with one line. Argument: the directory of the router.
 */
import { createInterface } from 'node:readline'
import { openNetworks } from '../../../src/sandboxes/drivers/runtime/network/open-networks.ts'
import type { NetworkPolicy } from '../../../src/sandboxes/drivers/runtime/network/network-policy.ts'
import type {
  NetworkRecord,
  SandboxNetwork,
} from '../../../src/sandboxes/drivers/runtime/network/sandbox-networks.ts'

export type HostCall =
  | {
      readonly name: 'attach'
      readonly uid: string
      readonly policy: NetworkPolicy
      readonly directory: string
    }
  | { readonly name: 'release'; readonly address: string }
  | { readonly name: 'close' }

export type HostAnswer =
  | { readonly modes: readonly string[]; readonly problem: string }
  | SandboxNetwork
  | { readonly error: string }
  | Record<string, never>

const [directory = '', live = '[]'] = process.argv.slice(2)
const closing = new AbortController()
const log = {
  info: () => {},
  warn: (fields: object, message: string) => console.error(message, fields),
}
const networks = await openNetworks({
  directory,
  isRoot: process.getuid?.() === 0,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test writes it
  live: JSON.parse(live) as NetworkRecord[],
  log,
  closing: closing.signal,
})
answer({ modes: networks.modes, problem: networks.problem })

createInterface({ input: process.stdin }).on('line', (line) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test writes it
  void handle(JSON.parse(line) as HostCall).then(answer, (error: unknown) => {
    answer({ error: String(error) })
  })
})

async function handle(call: HostCall): Promise<HostAnswer> {
  switch (call.name) {
    case 'attach': {
      const { uid, policy, directory: files } = call
      return networks.attach(networks.reserve({ uid, policy, name: 'box', directory: files }))
    }
    case 'release':
      await networks.release(call.address)
      return {}
    case 'close':
      closing.abort()
      await networks.close()
      process.stdin.pause()
      return {}
  }
}

function answer(value: HostAnswer): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

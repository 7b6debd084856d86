import type { Command } from 'commander'
import { count } from '../../program/count.ts'
import { seconds } from '../../program/global-options.ts'
import type { OpenSession } from '../../program/register.ts'
import { wholeNumber } from '../../program/whole-number.ts'
import type { ClaimSandboxOptions } from '../../sandboxes/claim-sandbox.ts'
import type { CreatePoolOptions } from '../../sandboxes/create-pool.ts'
import { observedExtension } from '../../sandboxes/extension-path.ts'
import type { ReleaseSandboxOptions } from '../../sandboxes/release-sandboxes.ts'
import type { ScalePoolOptions } from '../../sandboxes/scale-pool.ts'
import { addDelete, addList, placed, waiting, withWorkload } from './options.ts'

/** Adds `flotilla sandbox pool create|list|scale|delete`, `claim` and `release`. */
export function addPools(sandbox: Command, open: OpenSession): void {
  const pool = sandbox
    .command('pool')
    .description('Keeps sandboxes that already run, for claims of users.')
  addCreate(pool, open)
  addList(pool, open, {
    name: 'list',
    objects: 'pools',
    group: 'extensions.agents.x-k8s.io',
    plural: 'sandboxwarmpools',
    singular: 'sandboxwarmpool',
  })
  addScale(pool, open)
  addDelete(pool, open, {
    description: 'Deletes pools with the sandboxes that wait. Claimed sandboxes stay.',
    observed: (name) => observedExtension('sandboxwarmpools', name),
    propagationPolicy: 'Foreground',
  })
  addClaim(sandbox, open)
  addRelease(sandbox, open)
}

function addCreate(pool: Command, open: OpenSession): void {
  waiting(withWorkload(placed(pool.command('create'))), 'do not wait until they run')
    .description('Creates a pool and its template, and waits until its sandboxes run.')
    .option('--replicas <number>', 'the sandboxes that wait for claims', count, 1)
    .option('--allow-env', 'claims may add variables: --env of claim')
    .addHelpText('after', EXAMPLES)
    .action(
      async (
        name: string,
        command: readonly string[],
        options: CreatePoolOptions,
        own: Command,
      ) => {
        const { createPool } = await import('../../sandboxes/create-pool.ts')
        await createPool(await open(own), { name, command }, options)
      },
    )
}

function addScale(pool: Command, open: OpenSession): void {
  waiting(placed(pool.command('scale')), 'do not wait until they run')
    .description('Sets the number of sandboxes that wait for claims.')
    .argument('<name>', 'a name, or NAMESPACE/NAME')
    .argument('<replicas>', 'the number of sandboxes', wholeNumber)
    .action(async (name: string, replicas: number, options: ScalePoolOptions, own: Command) => {
      const { scalePool } = await import('../../sandboxes/scale-pool.ts')
      await scalePool(await open(own), { name, replicas }, options)
    })
}

function addClaim(sandbox: Command, open: OpenSession): void {
  waiting(placed(sandbox.command('claim')), 'do not wait for a sandbox')
    .description('Claims a sandbox of a pool, and waits until it runs.')
    .argument('<pool>', 'a pool, or NAMESPACE/POOL')
    .option('--name <name>', 'the name of the claim (default: a new one)')
    .option('--ttl <seconds>', 'delete it with its sandbox after this time', seconds)
    .option('--env <name=value...>', 'variables; the sandbox is then started for the claim', [])
    .option('-o, --output <format>', "the claim as json, yaml or jsonpath='{.path}'")
    .addHelpText('after', EXAMPLES)
    .action(async (pool: string, options: ClaimSandboxOptions, own: Command) => {
      const { claimSandbox } = await import('../../sandboxes/claim-sandbox.ts')
      await claimSandbox(await open(own), pool, options)
    })
}

function addRelease(sandbox: Command, open: OpenSession): void {
  waiting(placed(sandbox.command('release')), 'only request the deletion')
    .description('Deletes the claims of sandboxes together with the sandboxes.')
    .argument('<names...>', 'claimed sandboxes: names, or NAMESPACE/NAME')
    .action(async (names: readonly string[], options: ReleaseSandboxOptions, own: Command) => {
      const { releaseSandboxes } = await import('../../sandboxes/release-sandboxes.ts')
      await releaseSandboxes(await open(own), names, options)
    })
}

const EXAMPLES = `
Examples:
  flotilla sandbox pool create python --replicas 5 -- python3 -m http.server 8765
  flotilla sandbox claim python --ttl 1h
  name=$(flotilla sandbox claim python -o jsonpath='{.status.sandbox.name}')
  flotilla sandbox release $name`

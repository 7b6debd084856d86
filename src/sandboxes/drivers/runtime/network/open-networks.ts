import { access, constants } from 'node:fs/promises'
import { errorMessage } from 'flotilla'
import { findProgram } from '../machine/find-programs.ts'
import { createNetworks } from './create-networks.ts'
import type { RouterPrograms } from './launch-router.ts'
import { findRouter, type Router, startRouter } from './router.ts'
import type { NetworksOptions, SandboxNetworks } from './sandbox-networks.ts'

interface OpenedRouter {
  readonly router: Router | null
  readonly problem: string
}

const TUN = '/dev/net/tun'

/** Starts or finds the router of a runtime, and learns which policies this machine can offer. */
export async function openNetworks(options: NetworksOptions): Promise<SandboxNetworks> {
  const { router, problem } = await openRouter(options)
  if (router === null) return withoutNetworks(problem)
  try {
    const networks = await createNetworks(options, router)
    await tryNetwork(networks, options.directory)
    const modes = router.hasUplink ? (['None', 'Internet', 'Allow'] as const) : (['None'] as const)
    return { ...networks, problem: router.hasUplink ? '' : problem, modes }
  } catch (error) {
    if (options.live.length === 0) await router.stop()
    return withoutNetworks(`nftables cannot be used: ${errorMessage(error)}`)
  }
}

async function openRouter(options: NetworksOptions): Promise<OpenedRouter> {
  const names = ['unshare', 'nsenter', 'ip', 'nft', 'slirp4netns'] as const
  const [unshare, nsenter, ip, nft, slirp] = await Promise.all(names.map(findProgram))
  if (!unshare || !nsenter || !ip || !nft) {
    return { router: null, problem: 'install the packages util-linux, iproute2 and nftables' }
  }
  const problem = await uplinkProblem(slirp ?? null)
  const programs = { unshare, nsenter, slirp: problem === '' ? (slirp ?? null) : null }
  try {
    return { router: await findOrStart(options, programs), problem }
  } catch (error) {
    if (programs.slirp === null) return { router: null, problem: errorMessage(error) }
    const failure = `slirp4netns does not work here: ${errorMessage(error)}`
    return findOrStart(options, { ...programs, slirp: null }).then(
      (router) => ({ router, problem: failure }),
      () => ({ router: null, problem: failure }),
    )
  }
}

async function findOrStart(
  { directory, isRoot, live, log }: NetworksOptions,
  programs: RouterPrograms,
): Promise<Router> {
  const running = await findRouter({ directory, isRoot, programs }, live.length > 0)
  if (running !== null) return running
  const lost = live.map(({ address }) => address)
  if (lost.length > 0) log.warn({ addresses: lost }, 'running sandboxes have lost their networks')
  return startRouter({ directory, isRoot, programs })
}

async function uplinkProblem(slirp: string | null): Promise<string> {
  if (slirp === null) return 'install the package slirp4netns'
  return access(TUN, constants.R_OK | constants.W_OK).then(
    () => '',
    () => `this user cannot open ${TUN}: run chmod 0666 ${TUN} as root`,
  )
}

/** Creates a network and removes it, because not every kernel offers all parts. */
async function tryNetwork(
  { reserve, attach, release }: Pick<SandboxNetworks, 'attach' | 'release' | 'reserve'>,
  directory: string,
): Promise<void> {
  const record = reserve({ uid: 'probe', name: 'probe', policy: { mode: 'Internet' }, directory })
  await attach(record)
  await release(record.address)
}

function withoutNetworks(problem: string): SandboxNetworks {
  const fail = (): never => {
    throw new Error(`this runtime has no networks for sandboxes: ${problem}`)
  }
  const nothing = (): Promise<void> => Promise.resolve()
  return {
    modes: [],
    problem,
    reserve: fail,
    attach: fail,
    enter: fail,
    listen: fail,
    apiPlaneOf: () => null,
    release: nothing,
    close: nothing,
  }
}

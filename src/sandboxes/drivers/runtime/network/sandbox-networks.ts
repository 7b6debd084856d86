import type { Server } from 'node:net'
import type { Log } from 'flotilla'
import type { NetworkFiles } from './network-files.ts'
import type { NetworkPolicy } from './network-policy.ts'

export type NetworkMode = NetworkPolicy['mode']

/** The durable part of an attached network. */
export interface NetworkRecord {
  readonly address: string
  readonly policy: NetworkPolicy
  /** The directory with the files of the instance. */
  readonly directory: string
  /** The host name of the sandbox, which resolves to its address. */
  readonly name: string
  /** The plane whose API it may connect to; absent without access to the API. */
  readonly apiPlane?: string
}

/** A network to reserve. */
export interface NetworkRequest extends Omit<NetworkRecord, 'address'> {
  /** The uid of the sandbox, from which its address follows. */
  readonly uid: string
}

/** The network of a sandbox that is about to start. */
export interface SandboxNetwork {
  readonly record: NetworkRecord
  /** The prefix of the command of the wall, which must not unshare the network again. */
  readonly entry: readonly string[]
  /** The path of the namespace. */
  readonly namespace: string
  readonly files: NetworkFiles
}

/** The networks of the sandboxes of a runtime. */
export interface SandboxNetworks {
  /** The policies that sandboxes can have; none if this machine has no networks for sandboxes. */
  readonly modes: readonly NetworkMode[]
  /** Why a policy is missing, and the remedy; empty if none is missing. */
  readonly problem: string
  /** Chooses an address that no attached sandbox has. */
  reserve(request: NetworkRequest): NetworkRecord
  /** Creates the namespace of a reserved network. */
  attach(record: NetworkRecord): Promise<SandboxNetwork>
  /**
   * The prefix of a command that runs beside a process with a network, such as the first one of an
   * instance. Throws if the router was lost.
   */
  enter(pid: number): readonly string[]
  /** Listens for connections to the API. Only sandboxes with access reach it. */
  listen(): Promise<Server>
  /** The plane whose API the network of an address may use; null without access to the API. */
  apiPlaneOf(address: string): string | null
  /** Removes a network. Succeeds if it does not exist; failures are logged. */
  release(address: string): Promise<void>
  /** Ends the router unless sandboxes use it. Call it after `closing` is aborted. */
  close(): Promise<void>
}

export interface NetworksOptions {
  /** The private directory of the router. */
  readonly directory: string
  readonly isRoot: boolean
  /** The networks of instances that an earlier runtime has left running. */
  readonly live: readonly NetworkRecord[]
  readonly log: Log
  /** Aborted when the runtime closes. */
  readonly closing: AbortSignal
}

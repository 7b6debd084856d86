import { must } from '../lib/assert.ts'
import type { Capability, Parts, PortsOf } from './capability.ts'

/** The capabilities of a running server. */
export interface OpenCapabilities {
  /** The ports of a capability of this server. Throws if it lacks the capability. */
  portsOf<C extends Capability>(capability: C): PortsOf<C>
  /** Composes all registrations. */
  seal(): Promise<void>
  /** Starts the work in the background, when the API listens on this port. */
  run(port: number): void
}

/** The parts with the settings of all capabilities. */
type AnyParts = Parts<Readonly<Record<string, unknown>>>

interface Opened {
  readonly parts: AnyParts
  readonly ports: unknown
}

/**
 * Opens capabilities in the order of the list, which names each one after those that it needs. They
 * are sealed and run in the reverse order: a capability composes the registrations of others, and
 * its work ends before the work that it uses.
 */
export async function openCapabilities(
  list: readonly Capability[],
  foundation: Omit<AnyParts, 'needs' | 'openapi'>,
): Promise<OpenCapabilities> {
  const openapi = list.flatMap((capability) => capability.openapi ?? [])
  const opened = new Map<Capability, Opened>()
  const openOf = (capability: Capability): Opened =>
    must(opened.get(capability), `the capability ${capability.name}, which is opened earlier`)
  for (const capability of list) {
    const needs = Object.entries(capability.needs).map(([name, needed]) => {
      return [name, openOf(needed).ports] as const
    })
    const parts = { ...foundation, openapi, needs: Object.fromEntries(needs) }
    opened.set(capability, { parts, ports: await capability.open(parts) })
  }
  const reversed = list.toReversed()
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the capability has opened them
    portsOf: <C extends Capability>(capability: C) => openOf(capability).ports as PortsOf<C>,
    seal: async () => {
      for (const capability of reversed) {
        const { parts, ports } = openOf(capability)
        await capability.seal?.(parts, ports)
      }
    },
    run: (port) => {
      for (const capability of reversed) {
        const { parts, ports } = openOf(capability)
        capability.run?.({ ...parts, port }, ports)
      }
    },
  }
}

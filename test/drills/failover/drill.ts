import type { Drill } from '../drill.ts'
import { type Fault, surviveFailovers } from './survive-failovers.ts'

/** The processes of the machine end, as if it lost power. It starts again later. */
const KILL: Fault = {
  name: 'kill',
  isolates: false,
  inject: (machine) => machine.signal('SIGKILL'),
  end: async (machine, cluster) => cluster.restart(machine),
}

/** The machine works, but no other one reaches it. */
const PARTITION: Fault = {
  name: 'partition',
  isolates: true,
  inject: (machine) => machine.link('down'),
  end: (machine) => machine.link('up'),
}

/** All processes of the machine stop, and later continue as if nothing had happened. */
const PAUSE: Fault = {
  name: 'pause',
  isolates: false,
  inject: (machine) => machine.signal('SIGSTOP'),
  end: (machine) => machine.signal('SIGCONT'),
}

function drillCase(name: string, fault: Fault, rounds: number) {
  return [true, false].map((isSynchronous) => ({
    name: isSynchronous ? name : `${name}-asynchronous`,
    run: () => surviveFailovers({ fault, rounds, isSynchronous }, console.log),
  }))
}

/** Faults of PostgreSQL's primary under load, with the configuration of deploy/ha. */
export const failover: Drill = {
  summary: 'kill, partition and pause the primary of Patroni under load',
  cases: [
    ...drillCase('1-kill', KILL, 1),
    ...drillCase('20-kills', KILL, 20),
    ...drillCase('3-partitions', PARTITION, 3),
    ...drillCase('3-pauses', PAUSE, 3),
  ],
}

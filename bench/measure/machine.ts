import os from 'node:os'

/** The machine of a measurement. */
export interface Machine {
  readonly cpus: string
  readonly memoryGigabytes: number
  readonly system: string
  readonly node: string
  /** Load average of the last minute. */
  readonly load: number
}

export function describeMachine(): Machine {
  const cpus = os.cpus()
  return {
    cpus: `${cpus.length} x ${cpus[0]?.model ?? 'unknown'}`,
    memoryGigabytes: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.version,
    load: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
  }
}

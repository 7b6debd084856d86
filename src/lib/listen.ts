import type { Server } from 'node:net'
import { assert } from './assert.ts'
import { errorCode } from './error-code.ts'
import { errorMessage } from './error-message.ts'
import { SettingError } from './setting-error.ts'

/** Starts to listen and returns the port. If `port` is 0, the system chooses one. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      const address = server.address()
      assert(typeof address === 'object' && address !== null, 'a TCP address')
      resolve(address.port)
    })
  })
}

const OWN_ADDRESS = 'set HOST to an address of this machine'

/** Remedies by code of the error. */
const REMEDIES: Readonly<Record<string, (setting: string) => string>> = {
  EADDRINUSE: (setting) => `set ${setting} to a free port, or to 0`,
  EACCES: (setting) => `set ${setting} to a port from 1024, or give this user the right`,
  EADDRNOTAVAIL: () => OWN_ADDRESS,
  EAI_AGAIN: () => OWN_ADDRESS,
  ENOTFOUND: () => OWN_ADDRESS,
}

/** The failure to listen on the port of a setting, with its remedy. */
export function listenFailure(cause: unknown, setting: string): SettingError {
  const remedy = REMEDIES[errorCode(cause) ?? '']?.(setting) ?? `check HOST and ${setting}`
  return new SettingError(`${errorMessage(cause)}: ${remedy}`, { cause })
}

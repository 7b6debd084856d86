import type { Server } from 'node:net'
import { assert } from './assert.ts'

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

import { rm, stat } from 'node:fs/promises'
import net from 'node:net'
import { errorCode } from 'flotilla'

/** Only the owner may connect. */
const SOCKET_UMASK = 0o177
const NO_LISTENER = new Set(['ECONNREFUSED', 'ENOENT'])

/**
 * Listens on a Unix socket with mode 0600. Replaces the socket of a process that has ended; fails if
 * another process listens.
 */
export async function listenOnSocket(server: net.Server, path: string): Promise<void> {
  await removeStaleSocket(path)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // Node binds during the call, so the socket never exists with other permissions.
    const previous = process.umask(SOCKET_UMASK)
    try {
      server.listen(path, () => {
        server.off('error', reject)
        resolve()
      })
    } finally {
      process.umask(previous)
    }
  })
}

async function removeStaleSocket(path: string): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found === null) return
  if (!found.isSocket()) throw new Error(`${path} exists and is not a socket: choose another path`)
  if (await accepts(path)) throw new Error(`another process listens on ${path}`)
  await rm(path, { force: true })
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error) => {
      if (NO_LISTENER.has(errorCode(error) ?? '')) resolve(false)
      else reject(error)
    })
  })
}

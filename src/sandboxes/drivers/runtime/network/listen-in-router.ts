import { spawn } from 'node:child_process'
import { Server } from 'node:net'

/** Passes a listening socket to its parent, and ends. */
const SCRIPT =
  'const server = require("node:net").createServer(); ' +
  'server.once("error", (error) => { console.error(error.message); process.exit(1) }); ' +
  'server.listen({ host: process.argv[1], port: Number(process.argv[2]) }, () => ' +
  'process.send("listening", server, () => process.exit()))'
const TIMEOUT_MS = 20_000

interface Address {
  readonly host: string
  readonly port: number
}

/**
 * Listens in a network namespace. A socket belongs to the namespace that created it, so this process
 * accepts its connections without entering the namespace.
 */
export function listenInRouter(entry: readonly string[], { host, port }: Address): Promise<Server> {
  const [program, ...parameters] = [...entry, process.execPath, '-e', SCRIPT, host, String(port)]
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      cwd: '/',
      env: { LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: TIMEOUT_MS,
    })
    let output = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('message', (_, server) => {
      if (server instanceof Server) resolve(server)
      else reject(new Error('no listening socket has arrived'))
    })
    child.once('close', (code) => {
      reject(new Error(output.trim() || `listening ended with ${code ?? 'a signal'}`))
    })
  })
}

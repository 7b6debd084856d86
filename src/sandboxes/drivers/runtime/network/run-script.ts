import { spawn } from 'node:child_process'
import { SYSTEM_ENVIRONMENT } from '../machine/spawn-detached.ts'

const TIMEOUT_MS = 20_000
const MAX_OUTPUT = 8000

/** Runs a command with text as its input. Rejects with its output if it fails or hangs. */
export function runScript(command: readonly string[], stdin: string): Promise<string> {
  const [program = '', ...parameters] = command
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      cwd: '/',
      env: SYSTEM_ENVIRONMENT,
      timeout: TIMEOUT_MS,
    })
    let output = ''
    const collect = (text: string): void => {
      output = `${output}${text}`.slice(0, MAX_OUTPUT)
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(output)
      else reject(new Error(output.trim() || `${program} ended with ${code ?? 'a signal'}`))
    })
    // A command that ends early closes its input; its status says why.
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
  })
}

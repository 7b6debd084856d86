import { spawn } from 'node:child_process'

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM'])

/**
 * Runs a program in this terminal and forwards SIGINT and SIGTERM to it. If the program fails, this
 * process exits with the same code.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<void>}
 */
export function runProgram(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
    for (const signal of FORWARDED) process.on(signal, forward)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward)
      if (signal !== null) process.kill(process.pid, signal)
      else if (code !== 0) process.exit(code ?? 1)
      else resolve()
    })
  })
}

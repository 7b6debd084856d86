import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { GO_FLAGS } from '../go-flags.ts'
import { installTool, runTool } from '../run-tool.ts'
import type { Operation } from './history.ts'

const SOURCE = fileURLToPath(new URL('checker/', import.meta.url))
const TIMEOUT_MS = 180_000

/** Decides whether a history is linearizable. */
export interface Checker {
  /** Null if it is; else the calls on the objects that are not. */
  violations(history: readonly Operation[]): Promise<string | null>
}

/** Builds the checker, which uses Porcupine, in a folder. Skips the drill without Go or its module. */
export async function buildChecker(folder: string): Promise<Checker> {
  const program = path.join(folder, 'checker')
  const tool = { cwd: SOURCE, timeoutMs: TIMEOUT_MS }
  await installTool('go', ['mod', 'download'], tool)
  await runTool('go', ['build', ...GO_FLAGS, '-o', program, '.'], tool)
  return {
    violations: async (history) => {
      const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] })
      const exited = once(child, 'exit')
      child.stdin.end(JSON.stringify(history))
      const output = await text(child.stdout)
      const [code] = await exited
      if (code === 0) return null
      if (code === 1) return output
      throw new Error(`the checker ended with ${code}`)
    },
  }
}

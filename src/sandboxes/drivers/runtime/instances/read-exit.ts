import { stat } from 'node:fs/promises'
import { readIfPresent } from 'flotilla/programs'

/** How an instance ended. */
export interface InstanceExit {
  readonly code: number
  /** 0 unless a signal ended the workload. */
  readonly signal: number
  readonly finishedAt: number
  readonly message: string
}

/** Shells add this to the number of the signal that ended a command. */
const SIGNAL_BASE = 128
const MAX_SIGNAL = 64
const MAX_CODE = 255
/** Statuses of the scripts in shim-command.ts and of the shell. */
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [125, 'the runtime could not prepare the workload: see its log'],
  [126, 'the command cannot be executed by the user of the sandbox'],
  [127, 'the command was not found'],
])

/** Reads the exit status that the shim wrote; null if there is none, or not one of a process. */
export async function readExit(exitFile: string): Promise<InstanceExit | null> {
  const text = await readIfPresent(exitFile)
  if (text === null || !/^\d+\s*$/.test(text)) return null
  const code = Number(text)
  if (code > MAX_CODE) return null
  const { mtimeMs } = await stat(exitFile)
  const isSignal = code > SIGNAL_BASE && code <= SIGNAL_BASE + MAX_SIGNAL
  return {
    code,
    signal: isSignal ? code - SIGNAL_BASE : 0,
    finishedAt: Math.round(mtimeMs),
    message: MESSAGES.get(code) ?? '',
  }
}

/** The exit of an instance whose shim was killed before it could write the status. */
export function unknownExit(finishedAt: number, message: string): InstanceExit {
  return { code: -1, signal: 0, finishedAt, message }
}

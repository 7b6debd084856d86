import { readdirSync, readFileSync } from 'node:fs'

/** A process and its descendants without the subtree at `except`; empty if it has ended. */
export function processTree(pid: number, except: number | null = null): readonly number[] {
  if (pid === except) return []
  const children = childrenOf(pid)
  return children === null ? [] : [pid, ...children.flatMap((child) => processTree(child, except))]
}

/** Null if the process does not exist. */
function childrenOf(pid: number): readonly number[] | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.flatMap((thread) => childrenOfThread(pid, thread))
  } catch {
    return null
  }
}

function childrenOfThread(pid: number, thread: string): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')
    return text.split(' ').filter(Boolean).map(Number)
  } catch {
    // The thread has ended.
    return []
  }
}

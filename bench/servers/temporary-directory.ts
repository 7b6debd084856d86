import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A directory that is gone when it is disposed of, or when the process ends. */
export function temporaryDirectory(): Disposable & { readonly path: string } {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'flotilla-bench-'))
  const remove = (): void => rmSync(directory, { recursive: true, force: true })
  process.once('exit', remove)
  return {
    path: directory,
    [Symbol.dispose]: () => {
      process.off('exit', remove)
      remove()
    },
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A directory that is removed on disposal or when the process exits. */
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

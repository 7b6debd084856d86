import type { Page } from '../../../typescript/src/index.ts'
import { openProgress } from '../output/progress.ts'
import type { Terminal } from '../output/terminal.ts'

interface Outputs {
  /** Null if nothing is written before the last page. */
  readonly out: Pick<Terminal, 'isTty'> | null
  readonly err: Terminal
}

/** Passes on the pages of a list. A terminal that shows nothing else shows how many items are read. */
export async function* withProgress<T>(
  { out, err }: Outputs,
  pages: AsyncIterable<Page<T>>,
): AsyncGenerator<Page<T>, void, undefined> {
  using progress = err.isTty && out?.isTty !== true ? openProgress(err) : null
  let read = 0
  for await (const page of pages) {
    read += page.items.length
    if (read < page.total) progress?.update(`${read} of ${page.total}`)
    yield page
  }
}

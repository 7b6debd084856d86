import { readContexts } from '../connection/read-contexts.ts'
import { tableLines } from '../output/table.ts'
import type { Session } from '../session/session.ts'

/** Prints the contexts. The current one has a mark. Tokens are never shown. */
export async function listContexts({ env, out, err }: Session): Promise<void> {
  const { current, contexts } = await readContexts(env)
  const names = Object.keys(contexts).sort()
  if (names.length === 0) {
    err.write("There are no contexts: 'flotilla login URL' adds one.\n")
    return
  }
  const rows = names.map((name) => {
    const { server, token, caFile } = contexts[name] ?? { server: '' }
    const isCurrent = name === current
    return [isCurrent ? '*' : '', name, server, token === undefined ? 'no' : 'yes', caFile ?? '-']
  })
  const columns = [
    { header: 'CURRENT' },
    { header: 'NAME' },
    { header: 'SERVER' },
    { header: 'TOKEN', rank: 1 },
    { header: 'CA FILE', rank: 2, shrinksTo: 12 },
  ]
  for (const line of await tableLines({ columns, rows }, out)) out.write(`${line}\n`)
}

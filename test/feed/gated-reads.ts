import type { Database } from '../../src/store/database/database.ts'

/** A database that returns pages of the log only after `open`. */
export function gatedReads(database: Database): { readonly database: Database; open(): void } {
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  return {
    database: {
      ...database,
      execute: async (statement, values) => {
        const rows = await database.execute(statement, values)
        if (statement.name === 'read_changes') await gate
        // oxlint-disable-next-line typescript/no-unsafe-return -- the rows are passed through
        return rows as never
      },
    },
    open: release,
  }
}

import type pg from 'pg'

const STATEMENTS = `
  select migration_name as name, logs as statement from _prisma_migrations
  where finished_at is not null and rolled_back_at is null and logs is not null`

/** The statements of applied migrations about older versions. Prisma leaves the column empty. */
export async function readStatements(client: pg.ClientBase): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; statement: string }>(STATEMENTS)
  return new Map(rows.map(({ name, statement }) => [name, statement]))
}

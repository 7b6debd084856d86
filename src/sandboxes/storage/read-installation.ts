import type { Database } from '../../store/database/database.ts'

const STATEMENT = {
  name: 'read_installation',
  text: `
    select uid as id, database_origin() as database from objects
    where plane = 'root' and resource = 'configmaps'
      and namespace = 'kube-system' and name = 'flotilla-installation'`,
}

interface Row {
  readonly id: string
  readonly database: string
}

/** The ID of this installation and that of its database; null before it has one. */
export async function readInstallation(database: Database): Promise<Row | null> {
  const [row] = await database.execute<Row>(STATEMENT, [])
  return row ?? null
}

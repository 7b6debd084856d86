import { raw, type Sql } from 'sql-template-tag'
import { assert } from '../../../lib/assert.ts'

/** The name of a declared column as SQL. Must not come from user input. */
export function column(name: string): Sql {
  assert(/^[a-z][a-z_]*$/.test(name), `${name} is a plain column name`)
  return raw(name)
}

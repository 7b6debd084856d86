import { raw, type Sql } from 'sql-template-tag'
import { assert } from '../../../lib/assert.ts'

/** A declared column's name as SQL; never the user's text. */
export function column(name: string): Sql {
  assert(/^[a-z][a-z_]*$/.test(name), `${name} is a plain column name`)
  return raw(name)
}

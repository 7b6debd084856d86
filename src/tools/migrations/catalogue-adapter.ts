import { EventEmitter } from 'node:events'
import { PrismaPg } from '@prisma/adapter-pg'
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import pg from 'pg'

/** The OID of the one-byte type "char", which only PostgreSQL's catalogues use. */
const CATALOGUE_CHAR = 18

/**
 * Adapts Prisma's driver adapter to its schema engine. The engine reads catalogue columns of the type
 * "char", which the driver adapter rejects. This class reports them to the driver adapter as text and
 * to the engine as characters. It uses one connection, so that the last row description belongs to
 * the current result.
 */
export class CatalogueAdapter extends PrismaPg {
  #characters: readonly boolean[] = []

  constructor(url: string) {
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    super(pool, { disposeExternalPool: true })
    pool.on('connect', (client) => this.#watch(client))
  }

  override async connect() {
    const adapter = await super.connect()
    const queryRaw = adapter.queryRaw.bind(adapter)
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query)
      const columnTypes = result.columnTypes.map((type, index) =>
        this.#characters[index] === true ? ColumnTypeEnum.Character : type,
      )
      return { ...result, columnTypes }
    }
    return adapter
  }

  #watch(client: pg.PoolClient): void {
    if (!('connection' in client) || !(client.connection instanceof EventEmitter)) return
    client.connection.prependListener(
      'rowDescription',
      ({ fields }: { fields: { dataTypeID: number }[] }) => {
        this.#characters = fields.map(({ dataTypeID }) => dataTypeID === CATALOGUE_CHAR)
        for (const field of fields) {
          if (field.dataTypeID === CATALOGUE_CHAR) field.dataTypeID = pg.types.builtins.TEXT
        }
      },
    )
  }
}

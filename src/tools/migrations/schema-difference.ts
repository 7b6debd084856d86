import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import { CatalogueAdapter } from './catalogue-adapter.ts'
import { loadSchemaEngine } from './load-schema-engine.ts'

/** The SQL that migrates a database to `schema`, or '' if they already agree. */
export async function schemaDifference(url: string, schema: string): Promise<string> {
  const SchemaEngine = await loadSchemaEngine()
  const factory = new CatalogueAdapter(url)
  const engine = await SchemaEngine.new(
    { datamodels: [['schema.prisma', schema]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  )
  try {
    const files = [{ path: 'schema.prisma', content: schema }]
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: process.cwd() },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: ['public._prisma_migrations'], externalEnums: [] },
    })
    return exitCode === 0 ? '' : (stdout ?? '')
  } finally {
    engine.free()
    await (await factory.connect()).dispose()
  }
}

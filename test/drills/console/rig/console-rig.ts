import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../../../src/store/database/migrate.ts'
import { startDrillPostgres } from '../../drill-postgres.ts'
import { writeFontConfiguration } from '../browser/fixed-fonts.ts'
import { type ChromiumBrowser, launchChromium } from '../browser/launch-chromium.ts'
import { buildConsole } from './build-console.ts'
import { createSamples } from './create-samples.ts'
import { type ConsoleServer, startConsoleServer } from './console-server.ts'
import { runFakeAdapters } from './fake-adapters.ts'
import { seedFleet } from './seed-fleet.ts'

/** The server, the browser and the generators that the cases of the drill share. */
export interface ConsoleRig extends AsyncDisposable {
  readonly databaseUrl: string
  /** The number of seeded clusters. */
  readonly clusters: number
  readonly server: ConsoleServer
  readonly browser: ChromiumBrowser
  /** The ID of a cluster that the adapters reconcile. */
  readonly clusterId: string
}

/** The fields of specs by which breakdowns group. */
const INDEXED_FIELDS = 'Cluster:spec.version'
const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url))

/** Builds the console and starts a database with seeded clusters, a server, adapters and Chromium. */
export async function startConsoleRig(clusters: number): Promise<ConsoleRig> {
  const cleanUps: (() => PromiseLike<void>)[] = []
  const dispose = async (): Promise<void> => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
  }
  const use = <T extends AsyncDisposable>(owner: T): T => {
    cleanUps.push(() => owner[Symbol.asyncDispose]())
    return owner
  }
  try {
    const home = await mkdtemp(path.join(os.tmpdir(), 'flotilla-chromium-'))
    cleanUps.push(() => rm(home, { recursive: true, force: true }))
    const fonts = await writeFontConfiguration(home)
    const browser = use(await launchChromium([], { FONTCONFIG_FILE: fonts }))
    await buildConsole()
    const { url } = use(await startDrillPostgres())
    await migrate(url, MIGRATIONS)
    await seedFleet(url, clusters)
    const server = use(await startConsoleServer({ databaseUrl: url, env: { INDEXED_FIELDS } }))
    use(runFakeAdapters(server.client))
    const clusterId = await createSamples(server.client)
    return {
      databaseUrl: url,
      clusters,
      server,
      browser,
      clusterId,
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

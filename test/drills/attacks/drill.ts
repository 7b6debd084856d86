import type { Drill } from '../drill.ts'
import { sharedRig } from '../shared-rig.ts'
import { type AttackLog, openAttackLog } from './attack-log.ts'
import { attackFromPages } from './chromium/attack-from-pages.ts'
import { startDefaultServer } from './default-server/default-server.ts'
import { rebindNames } from './default-server/rebind-names.ts'
import { runSandbox } from './default-server/run-sandbox.ts'
import { spellNames } from './default-server/spell-names.ts'
import { writeFromPages } from './default-server/write-from-pages.ts'
import { startPostgres } from './postgres.ts'
import { escapeDelegation } from './two-issuers/escape-delegation.ts'
import { impersonate } from './two-issuers/impersonate.ts'
import { type IssuerServer, startIssuerServer } from './two-issuers/issuer-server.ts'
import { readRecords } from './two-issuers/read-records.ts'
import { spoofIssuers } from './two-issuers/spoof-issuers.ts'
import { writeFromTokenPages } from './two-issuers/write-from-pages.ts'
import { askForTenants } from './two-shards/ask-for-tenants.ts'
import { placeTenants } from './two-shards/place-tenants.ts'
import { startTwoShards, type TwoShards } from './two-shards/two-shards.ts'

/** Random attacks are the same in every run. */
const SEED = 28

const postgres = sharedRig(startPostgres)
const issuers = sharedRig(async () => {
  return startIssuerServer(await (await postgres.get()).createDatabase('issuers'))
})
const shards = sharedRig(async () => startTwoShards((await postgres.get()).url))
const plain = sharedRig(() => startDefaultServer())

/** A case that makes attacks, and fails if one of them succeeds. */
function attacksOf(name: string, run: (log: AttackLog) => Promise<void>) {
  return {
    name,
    run: async () => {
      const log = openAttackLog(console.log)
      await run(log)
      log.finish()
    },
  }
}

async function attackIssuers(server: IssuerServer, log: AttackLog, count: number): Promise<void> {
  await spoofIssuers(server, log)
  await readRecords(server, log)
  await impersonate(server, log)
  await writeFromTokenPages(server, log)
  await escapeDelegation(server, log, { seed: SEED, count })
}

async function attackShards(rig: TwoShards, log: AttackLog, isLong: boolean): Promise<void> {
  await askForTenants(rig, log, { isLong })
  await placeTenants(rig, log)
}

/** Repeats attacks that have succeeded once. */
export const attacks: Drill = {
  summary: 'attacks on a default server, on roles and tenants of two issuers, and on two shards',
  cases: [
    attacksOf('default-server', async (log) => {
      const server = await plain.get()
      await rebindNames(server, log)
      await writeFromPages(server, log)
      await runSandbox(server, log)
    }),
    attacksOf('default-server-random', async (log) =>
      spellNames(await plain.get(), log, { seed: SEED, count: 2000 }),
    ),
    attacksOf('any-origin', async (log) => {
      await using server = await startDefaultServer({ CORS_ORIGINS: '*' })
      await writeFromPages(server, log)
    }),
    attacksOf('chromium', async (log) => attackFromPages(await plain.get(), log)),
    attacksOf('two-issuers', async (log) => attackIssuers(await issuers.get(), log, 100)),
    attacksOf('two-issuers-random', async (log) => attackIssuers(await issuers.get(), log, 5000)),
    attacksOf('two-shards', async (log) => attackShards(await shards.get(), log, false)),
    attacksOf('two-shards-forgeries', async (log) => attackShards(await shards.get(), log, true)),
  ],
  close: async () => {
    for (const rig of [plain, issuers, shards, postgres]) await rig[Symbol.asyncDispose]()
  },
}

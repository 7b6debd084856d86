import { randomBytes } from 'node:crypto'
import { link, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '../lib/assert.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { errorCode } from '../lib/error-code.ts'
import { processStart } from './process-start.ts'
import { readIfPresent } from './read-if-present.ts'
import { writePrivateFile } from './write-private-file.ts'

/** The data directory is this process's until `release`. */
export interface Claim {
  release(): Promise<void>
}

const OWNER = 'owner.json'
const CONTENDER = /^owner-\d+-[0-9a-f]+\.json$/
const RACE_MS = 5000

/**
 * Makes this process the owner of a data directory; throws where the owner lives.
 *
 * Each contender first leaves a file of its own, then links it to `owner.json`. It removes the claim
 * of a dead owner only where it sees no other living contender after that, and reads the claim again
 * before; so of two that meet, at least one steps back and tries again.
 */
export async function claimDirectory(dataDir: string): Promise<Claim> {
  const owner = join(dataDir, OWNER)
  const start = must(await processStart(process.pid), 'the start time of this process')
  const text = JSON.stringify({ pid: process.pid, start })
  const deadline = Date.now() + RACE_MS
  for (;;) {
    const contender = join(dataDir, `owner-${process.pid}-${randomBytes(4).toString('hex')}.json`)
    try {
      await writePrivateFile(contender, text)
      if (await contend(dataDir, owner, contender)) break
    } finally {
      await rm(contender, { force: true })
    }
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(`DATA_DIR ${dataDir}: others keep claiming it, try again`)
    }
    await sleep(Math.random() * 50)
  }
  return {
    release: async () => {
      if ((await readIfPresent(owner)) === text) await rm(owner, { force: true })
    },
  }
}

/** Whether the claim succeeded; throws where the owner lives. */
async function contend(dataDir: string, owner: string, contender: string): Promise<boolean> {
  if (await linkIfFree(contender, owner)) return true
  const claim = await readIfPresent(owner)
  if (claim === null) return false
  const pid = await livingProcess(claim)
  if (pid !== null) {
    throw new EmbeddedPostgresError(
      `DATA_DIR ${dataDir} is in use by process ${pid}: stop it, or set DATA_DIR to another directory`,
    )
  }
  if (await othersContend(dataDir, contender)) return false
  if ((await readIfPresent(owner)) !== claim) return false
  await rm(owner, { force: true })
  return linkIfFree(contender, owner)
}

async function linkIfFree(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Whether another living process contends; what dead ones left is removed. */
async function othersContend(dataDir: string, own: string): Promise<boolean> {
  const names = (await readdir(dataDir)).filter((name) => CONTENDER.test(name))
  const paths = names.map((name) => join(dataDir, name)).filter((path) => path !== own)
  for (const path of paths) {
    const text = await readIfPresent(path)
    if (text === null) continue
    if ((await livingProcess(text)) !== null) return true
    await rm(path, { force: true })
  }
  return false
}

/** The pid that a claim names, `null` where that process is gone or the text is not a claim. */
async function livingProcess(claim: string): Promise<number | null> {
  const { pid, start } = parseClaim(claim)
  if (pid === null || start === null) return null
  return (await processStart(pid)) === start ? pid : null
}

function parseClaim(text: string): { pid: number | null; start: string | null } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && 'pid' in value && 'start' in value) {
      const { pid, start } = value
      if (typeof pid === 'number' && typeof start === 'string') return { pid, start }
    }
  } catch {
    // Not written by a claim: nobody's.
  }
  return { pid: null, start: null }
}

import { randomBytes } from 'node:crypto'
import { link, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '../assert.ts'
import { errorCode } from '../error-code.ts'
import { processStart } from '../processes/process-start.ts'
import { SettingError } from '../setting-error.ts'
import { readIfPresent } from './read-if-present.ts'
import { writePrivateFile } from './write-private-file.ts'

/** Ownership of a data directory by this process, until `release`. */
export interface Claim {
  release(): Promise<void>
}

const OWNER = 'owner.json'
const CONTENDER = /^owner-\d+-[0-9a-f]+\.json$/
const RACE_MS = 5000

/**
 * Makes this process the owner of a directory. Throws if the current owner is alive.
 *
 * Each contender first creates its own file, then links it to `owner.json`. It removes the claim of a
 * dead owner only after it has read the claim again and found no other living contender. If two
 * contenders meet, at least one of them backs off and retries.
 */
export async function claimDirectory(
  dataDir: string,
  setting: 'DATA_DIR' | 'dir of SANDBOXD' = 'DATA_DIR',
): Promise<Claim> {
  const owner = join(dataDir, OWNER)
  const start = must(await processStart(process.pid), 'the start time of this process')
  const text = JSON.stringify({ pid: process.pid, start })
  const deadline = Date.now() + RACE_MS
  for (;;) {
    const contender = join(dataDir, `owner-${process.pid}-${randomBytes(4).toString('hex')}.json`)
    try {
      await writePrivateFile(contender, text)
      if (await contend({ dataDir, setting, owner }, contender)) break
    } finally {
      await rm(contender, { force: true })
    }
    if (Date.now() > deadline) {
      throw new SettingError(`${setting} ${dataDir}: others keep claiming it, try again`)
    }
    await sleep(Math.random() * 50)
  }
  return {
    release: async () => {
      if ((await readIfPresent(owner)) === text) await rm(owner, { force: true })
    },
  }
}

/** Whether a living process owns the directory. */
export async function isClaimed(dataDir: string): Promise<boolean> {
  const claim = await readIfPresent(join(dataDir, OWNER))
  return claim !== null && (await livingProcess(claim)) !== null
}

interface Claimed {
  readonly dataDir: string
  /** The setting that names the directory, for error messages. */
  readonly setting: string
  readonly owner: string
}

/** Whether the claim succeeded. Throws if the owner is alive. */
async function contend(claimed: Claimed, contender: string): Promise<boolean> {
  const { dataDir, setting, owner } = claimed
  if (await linkIfFree(contender, owner)) return true
  const claim = await readIfPresent(owner)
  if (claim === null) return false
  const pid = await livingProcess(claim)
  if (pid !== null) {
    throw new SettingError(
      `${setting} ${dataDir} is in use by process ${pid}: stop it, or set ${setting} to another directory`,
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

/** Whether another living process contends. Removes the files of dead contenders. */
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

/** The pid in a claim; `null` if that process has ended or the text is not a claim. */
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
    // The text is not a claim, so no process owns the directory.
  }
  return { pid: null, start: null }
}

import path from 'node:path'
import { createKeyedQueue, type Log } from 'flotilla'
import { readIfPresent } from 'flotilla/programs'
import {
  formatInstallation,
  type Installation,
  parseInstallation,
} from '../../protocol/installation.ts'
import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import { writeDurably } from '../../protocol/write-durably.ts'

/** Time after the last call of an installation when another one may use the runtime. */
const QUIET_MS = 10_000

/**
 * The one installation that uses a runtime. Another database does not know its sandboxes, and a
 * copy of its database would act on them a second time.
 */
export interface InstallationBinding {
  /** Why calls of the installation are rejected; null if it uses the runtime from now on. */
  refusalOf(caller: Installation): Promise<string | null>
  /** Why calls of an installation with this ID would be rejected. Nothing changes. */
  refusalOfId(id: string): Promise<string | null>
  /**
   * Begins a call, which disposal ends. Throws if calls of the installation are rejected. Null stands
   * for callers of earlier versions, which are served.
   */
  begin(caller: Installation | null): Promise<Disposable>
}

interface Options {
  /** The state of the runtime. */
  readonly directory: string
  /** Whether the runtime has sandboxes of an installation. */
  readonly hasSandboxes: (installation: string) => boolean
  /** A monotonic time in milliseconds. */
  readonly now: () => number
  readonly log: Log
}

/** Reads the installation that has used the runtime last. It has some time to call again. */
export async function openInstallationBinding(options: Options): Promise<InstallationBinding> {
  const { hasSandboxes, now, log } = options
  const file = path.join(options.directory, 'installation')
  let bound = parseInstallation((await readIfPresent(file))?.trim() ?? '')
  let lastCall = now()
  /** One after the other, so that no call is served while another installation takes over. */
  const turns = createKeyedQueue(Infinity)
  const running = new Map<string, number>()

  function isFree(from: Installation): boolean {
    if ((running.get(formatInstallation(from)) ?? 0) > 0) return false
    return now() - lastCall >= QUIET_MS || !hasSandboxes(from.id)
  }

  async function bind(caller: Installation): Promise<string | null> {
    if (bound === null || !isSame(bound, caller)) {
      if (bound !== null && !isLaterTimeline(bound, caller) && !isFree(bound))
        return refusal(bound, caller)
      await writeDurably(file, `${formatInstallation(caller)}\n`)
      log.info({ installation: caller, before: bound }, 'an installation uses the runtime')
      bound = caller
    }
    lastCall = now()
    return null
  }

  return {
    refusalOf: (caller) => turns.run(file, () => bind(caller)),
    refusalOfId: (id) =>
      turns.run(file, () => {
        if (bound === null || bound.id === id || isFree(bound)) return Promise.resolve(null)
        return Promise.resolve(refusal(bound, { id }))
      }),
    begin: async (caller) => {
      if (caller === null) return { [Symbol.dispose]: () => undefined }
      const key = formatInstallation(caller)
      const problem = await turns.run(file, async () => {
        const refused = await bind(caller)
        // Before the next turn, which could take over from a call that does not count yet.
        if (refused === null) running.set(key, (running.get(key) ?? 0) + 1)
        return refused
      })
      if (problem !== null) {
        throw new SandboxDriverError('FAILED_PRECONDITION', problem, {
          reason: 'OtherInstallation',
        })
      }
      return {
        [Symbol.dispose]: () => {
          const rest = (running.get(key) ?? 0) - 1
          if (rest > 0) running.set(key, rest)
          else running.delete(key)
          if (bound !== null && isSame(bound, caller)) lastCall = now()
        },
      }
    },
  }
}

function isSame(one: Installation, other: Installation): boolean {
  return one.id === other.id && one.database === other.database
}

/** Whether the database has failed over, or was recovered to a point in time. */
function isLaterTimeline(earlier: Installation, later: Installation): boolean {
  const [system, timeline, oid] = earlier.database.split('/')
  const [otherSystem, otherTimeline, otherOid] = later.database.split('/')
  return (
    earlier.id === later.id &&
    system === otherSystem &&
    oid === otherOid &&
    Number(timeline) < Number(otherTimeline)
  )
}

/** It does not change while the other installation calls, because conditions have it. */
function refusal(bound: Installation, caller: Pick<Installation, 'id'>): string {
  const why =
    bound.id === caller.id
      ? 'a server of another database with the same content uses this runtime. If this database ' +
        'is a copy, separate it: see docs/backup.md#separate-a-copy'
      : `the installation ${bound.id} uses this runtime. Give each installation its own runtime, ` +
        'by dir of SANDBOXD'
  return `${why}. To replace the other one, stop its servers: this runtime then changes within ${QUIET_MS / 1000} s`
}

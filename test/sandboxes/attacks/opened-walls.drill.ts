import { closeSync, existsSync, openSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { must } from '../../../src/lib/assert.ts'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'
import { type Scene, withScene } from './attack-scene.ts'
import { attacksOn, DEVICES } from './attacks.ts'
import { BOMBS } from './bombs.ts'
import { createAttacker } from './create-attacker.ts'
import { ALL_RIGHTS, OPENINGS, type WallPart } from './openings.ts'

const IS_ROOT = process.getuid?.() === 0
/** Attacks that this machine gives no program a chance of, by the reason. */
const ABSENT = new Map<string, string>()
if (!existsSync('/proc/modules')) {
  ABSENT.set('use the system call init_module', 'the kernel has no modules')
}
if (!DEVICES.some(canOpen)) {
  const reason = `root cannot open ${DEVICES.join(' or ')}`
  ABSENT.set('open devices of network and file systems', reason)
}

function canOpen(file: string): boolean {
  try {
    closeSync(openSync(file, 'r'))
    return true
  } catch {
    return false
  }
}

it.runIf(IS_ROOT).for([...ABSENT])(
  'the attack "%s" succeeds if the parts of the wall that hold it are open',
  ([, reason], { skip }) => skip(reason),
)

it.runIf(IS_ROOT)(
  'every attack succeeds if the parts of the wall that hold it are open, and each part holds alone',
  async ({ skip }) => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'walls-'))
    try {
      await chmod(directory, 0o755)
      const run = async (scene: Scene): Promise<void> => {
        await openWalls(scene, directory)
        await liftLimits(scene)
      }
      await withScene('bubblewrap', undefined, { run, skip })
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  },
)

async function openWalls(scene: Scene, directory: string): Promise<void> {
  const succeeds = await createAttacker(scene, directory)
  for (const attack of attacksOn(scene.targets)) {
    if (ABSENT.has(attack.name)) continue
    const opening = must(OPENINGS[attack.name], `the opening for '${attack.name}'`)
    const isOpen = (parts: readonly WallPart[]) => succeeds(attack, opening, new Set(parts))
    const { parts } = opening
    const depends = attack.boundary === 'kernel' || opening.dependsOnMachine === true
    const opened = (await isOpen(parts)) || (depends && (await isOpen([...parts, ...ALL_RIGHTS])))
    const useless: WallPart[] = []
    for (const part of depends ? parts.filter((each) => each === 'system calls') : parts) {
      if (await isOpen(parts.filter((each) => each !== part))) useless.push(part)
    }
    expect.soft({ opened, useless }, attack.name).toEqual({ opened: true, useless: [] })
  }
}

/** Bombs that a limit stops succeed without it. */
async function liftLimits({ attacker, sandboxd }: Scene): Promise<void> {
  const unlimited = runtimeSandbox(() => sandboxd.connection, 'unlimited')
  const workload = { command: ['/bin/sleep', '1000'], isolationClass: 'bubblewrap' }
  await unlimited.start('one', '', { workload })
  for (const { name, script, succeeds } of BOMBS) {
    const [limited, free] = [await attacker.exec(script), await unlimited.exec(script)]
    const found = [limited, free].map(({ stdout }) => stdout.includes(succeeds))
    expect.soft(found, name).toEqual([false, true])
  }
}

import { expect, it } from 'vitest'
import { type Scene, withScene } from './attack-scene.ts'
import { type Attack, attackCommand, attacksOn, ENDED } from './attacks.ts'
import { TAKE_MEMORY } from './bombs.ts'
import { ATTACK_RESULTS } from './results.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 54_325

/** The names of the attacks that succeed. */
async function escapes(
  { attacker }: Scene,
  attacks: readonly Attack[],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const attack of attacks) {
    const { stdout, stderr } = await attacker.exec('', {
      command: [...attackCommand(attack)],
    })
    expect.soft(stderr, attack.name).not.toMatch(/syntax error|aborted due to/)
    expect.soft(stdout, attack.name).toContain(ENDED)
    if (stdout.includes('ESCAPED')) found.push(attack.name)
  }
  return found
}

/** Without a wall, the settings of the machine decide about attacks on the kernel. */
function isDecidedByMachine(isolationClass: string, { boundary }: Attack): boolean {
  return isolationClass === 'process' && boundary === 'kernel'
}

const RESULTS = ATTACK_RESULTS.filter(({ user }) => IS_ROOT || user !== 'root')

it.for(RESULTS)('attacks on $isolationClass of $user', async (result, { skip }) => {
  const { isolationClass, user, succeed, offeredByOwnKernel = [] } = result
  const uid = IS_ROOT && user !== 'root' ? ORDINARY_USER : undefined
  const run = async (scene: Scene): Promise<void> => {
    const attacks = attacksOn(scene.targets).filter(
      (attack) =>
        !isDecidedByMachine(isolationClass, attack) && !offeredByOwnKernel.includes(attack.name),
    )
    const names = attacks.map(({ name }) => name)
    const expected = names.filter((name) => succeed.includes(name))
    expect(await escapes(scene, attacks)).toEqual(expected)
    if (isolationClass !== 'process') await exhaust(scene)
  }
  await withScene(isolationClass, uid, { run, skip })
})

/** Bombs: the attacker is stopped or ended, and the victim continues. */
async function exhaust({ attacker, victim, startAttacker, targets }: Scene): Promise<void> {
  const fork = await attacker.exec('bomb() { bomb | bomb & }; bomb; sleep 1; echo survived')
  if (!/survived|fork/i.test(fork.stdout + fork.stderr)) {
    // A separate kernel ends when the limits of its sandbox are reached.
    await attacker.reaches('Exited')
    await startAttacker()
  }
  const memory = await attacker.exec(TAKE_MEMORY.script)
  expect(memory.stdout).not.toContain(TAKE_MEMORY.succeeds)
  await attacker.exec('head -c 60000000 /dev/zero >disk').catch(() => undefined)
  await attacker.reaches('Exited')
  expect((await victim.exec('cat secret')).stdout).toContain(targets.secret)
}

import assert from 'node:assert/strict'

/** Collects the attacks of a case, so that one that succeeds does not hide the next ones. */
export interface AttackLog {
  /** Attacks. The attack has succeeded if `run` rejects. */
  attack(name: string, run: () => Promise<void>): Promise<void>
  /** Throws if an attack has succeeded. */
  finish(): void
}

const MAX_PRINTED = 20
const MAX_LINE = 300

export function openAttackLog(print: (line: string) => void): AttackLog {
  const succeeded: string[] = []
  let attacks = 0
  return {
    attack: async (name, run) => {
      attacks += 1
      try {
        await run()
      } catch (error) {
        const [line = ''] = String(error).split('\n')
        succeeded.push(`- ${name}: ${line.slice(0, MAX_LINE)}`)
      }
    },
    finish: () => {
      assert.ok(attacks > 0, 'no attack was made')
      const found = succeeded.slice(0, MAX_PRINTED).join('\n')
      const more = succeeded.length > MAX_PRINTED ? '\n- ...' : ''
      if (succeeded.length > 0) {
        throw new Error(`${succeeded.length} of ${attacks} attacks succeeded:\n${found}${more}`)
      }
      print(`  ${attacks} attacks failed`)
    },
  }
}

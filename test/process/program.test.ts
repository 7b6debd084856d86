import { expect, it } from 'vitest'
import { startNode } from './program.ts'

it.each(['warn', 'error', 'fatal'])(
  'does not wait for a line that LOG_LEVEL=%s hides',
  async (level) => {
    await using program = startNode(['--eval', 'setInterval(() => {}, 1000)'], { LOG_LEVEL: level })
    await expect(program.ready()).rejects.toThrow(
      `LOG_LEVEL=${level} hides the line with the ports`,
    )
  },
)

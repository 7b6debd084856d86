import { createConsumer } from '../../clients/typescript/consumer.ts'
import { startProgram } from '../../process/program.ts'
import { NO_ADAPTERS, withDatabase } from './with-database.ts'

/** Runs the example of an RL rollout with 64 environments from the packed SDK. */
export async function runRollout(print: (line: string) => void): Promise<void> {
  await using consumer = await createConsumer()
  await consumer.compile()
  await withDatabase(async (DATABASE_URL) => {
    await using server = startProgram({ DATABASE_URL, ...NO_ADAPTERS })
    const { port } = await server.ready()
    const env = { SERVER: `http://127.0.0.1:${port}`, ENVIRONMENTS: '64', STEPS: '20' }
    const output = await consumer.run('examples/rollout.js', env)
    if (!output.includes('64 environments, 20 steps each, total reward 1280'))
      throw new Error(output)
    print(`  ${output.trim().replaceAll('\n', '; ')}`)
  })
}

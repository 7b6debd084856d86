import { Command } from 'commander'

/** Runs the command with its arguments. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const program = new Command('flotilla').description('Fleets of clusters on PostgreSQL')
  await program.parseAsync([...args], { from: 'user' })
  return 0
}

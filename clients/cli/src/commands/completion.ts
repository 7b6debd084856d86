import { Argument, type Command } from 'commander'
import { SHELLS } from '../completion/shells.ts'
import type { OpenSession } from '../program/register.ts'

/** `flotilla completion SHELL` */
export function register(program: Command, _open: OpenSession): void {
  program
    .command('completion')
    .description(
      'Prints the completion script of a shell. For bash: source <(flotilla completion bash)',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action(async (shell: (typeof SHELLS)[number]) => {
      const { completionScript } = await import('../completion/completion-script.ts')
      process.stdout.write(completionScript(shell))
    })
}

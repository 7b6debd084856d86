import { expect } from 'vitest'
import { poll } from '../support/poll.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import type { TestSandboxd } from '../support/start-sandboxd.ts'

const PORT = 8080
/** Accepts connections. Perl's core needs no module for it. */
const SERVER = `
open my $file, '>>', 'starts'; print $file "start $ENV{HOME}\\n"; close $file;
socket(my $server, 2, 1, 0) or die; bind($server, pack('S n N x8', 2, ${PORT}, 0)) or die $!;
listen($server, 9) or die; $SIG{TERM} = sub { exit 3 };
while (1) { accept(my $peer, $server) }`

/** Output and exit code of a program beside the workload. */
export async function execProgram(
  sandboxd: TestSandboxd,
  box: RuntimeSandbox,
  command: string[],
): Promise<string> {
  let text = ''
  const env = [
    { name: 'WORD', value: 'two words' },
    // The image has no locales.
    { name: 'PERL_BADLANG', value: '0' },
  ]
  const outputs = sandboxd.connection.runtime.exec({ sandbox: box.key, command, env })
  for await (const { output } of outputs) {
    if (output.case === 'exitCode') text += `exit ${output.value}`
    else if (output.case !== undefined) text += Buffer.from(output.value).toString()
  }
  return text
}

/** The workload of an image that contains no shell. */
export function shelllessWorkload(image: string, isolationClass: string) {
  return {
    command: ['/app/perl', '-e', SERVER],
    workingDir: 'deep/inside',
    image,
    isolationClass,
    initContainers: [{ name: 'first', command: ['/app/touch', '/workspace/made'] }],
    probes: {
      startup: probe({
        case: 'exec' as const,
        value: { command: ['/app/cat', '/workspace/made'] },
      }),
      readiness: probe({ case: 'tcp' as const, value: { port: PORT } }),
    },
  }
}

function probe<Check>(check: Check) {
  return { check, periodSeconds: 1, timeoutSeconds: 20, failureThreshold: 60 }
}

/** Starts the workload, runs programs beside it, and ends it with a signal. */
export async function useShelllessSandbox(
  sandboxd: TestSandboxd,
  image: string,
  isolationClass: string,
): Promise<void> {
  const box = runtimeSandbox(() => sandboxd.connection)
  await box.start('one', '', { workload: shelllessWorkload(image, isolationClass) })
  await poll(
    'readiness',
    async () => {
      const { state, readiness } = await box.get()
      return { state, readiness, output: await box.logs() }
    },
    ({ readiness }) => readiness === 'Ready',
  )
  const run = (...command: string[]) => execProgram(sandboxd, box, command)
  expect(await run('/app/cat', 'deep/inside/starts')).toBe('start /workspace\nexit 0')
  expect(await run('/app/perl', '-e', 'print $ENV{WORD}; exit 4')).toBe('two wordsexit 4')
  // The directories for programs contain nothing of the machine.
  expect(await run('/app/perl', '-e', 'exit(-e "/bin" || -e "/usr" ? 1 : 0)')).toBe('exit 0')
  // The workload cannot replace the programs that commands and probes start with.
  const move = 'exit(rename("/run/sandbox", "/run/other") ? 1 : 0)'
  expect(await run('/app/perl', '-e', move)).toBe('exit 0')
  const call = { sandbox: box.key, instanceId: 'one', operationId: 'end', fence: 1n }
  const { instance } = await sandboxd.connection.runtime.terminate({ ...call, graceSeconds: 20n })
  expect(instance).toMatchObject({ state: 'Exited', exitCode: 3 })
}

import { type Command, InvalidArgumentError, Option } from 'commander'

/** Adds the options that every command has. */
export function addGlobalOptions(program: Command): void {
  const options = [
    new Option('--context <name>', 'use the server of this context'),
    new Option('--server <url>', 'use this server (FLOTILLA_SERVER)'),
    new Option('--token <token>', 'authenticate with this token (FLOTILLA_TOKEN)'),
    new Option('--ca-file <file>', "trust this authority of the server's certificate"),
    new Option('--request-timeout <seconds>', 'fail if a response takes longer').argParser(seconds),
    new Option('-v, --verbose', 'print every request'),
  ]
  for (const option of options) program.addOption(option)
}

/** Milliseconds from an argument such as `30`, `1.5`, `500ms`, `30s`, `5m` or `1d`. */
export function seconds(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text)
  const ms = Number(match?.[1]) * (UNITS[match?.[2] ?? 's'] ?? 1000)
  if (!(ms > 0) || ms > MAX_MS) {
    throw new InvalidArgumentError('A duration is a number of seconds, or one such as 500ms or 5m.')
  }
  return ms
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
/** Longer timers overflow. */
const MAX_MS = 2 ** 31 - 1

import path from 'node:path'
import { must } from '../../../src/lib/assert.ts'
import type { WallPart } from './openings.ts'

/** Parts of the wall that are open, and what the program finds behind them. */
export interface OpenParts {
  readonly parts: ReadonlySet<WallPart>
  /** The machine's user as whom the program runs without the part `user`. */
  readonly uid: number
  /** A process whose network it uses without the part `network`; null for the machine's. */
  readonly networkOf: number | null
  /** Directories of the machine that it sees without the part `files`. */
  readonly directories: readonly string[]
  /** A filter that allows all system calls. */
  readonly openFilter: string
}

/** Options of bwrap before the command, with the number of their values. */
const VALUES: Readonly<Record<string, number>> = { '--uid': 1, '--gid': 1, '--cap-drop': 1 }

/** The command of an instance behind the wall, with parts of the wall open. */
export function openWall(command: readonly string[], opening: OpenParts): readonly string[] {
  const { parts, uid } = opening
  const at = command.findIndex((each) => path.basename(each) === 'bwrap')
  const setpriv = command.findIndex((each) => path.basename(each) === 'setpriv')
  const end = command.indexOf('--', at)
  const account = command.slice(setpriv, at)
  const user = parts.has('user') ? account.map((each) => withUser(each, uid)) : account
  const options = openOptions(command.slice(at + 1, end), opening)
  const isPrivileged = parts.has('user namespace')
  return [
    ...enterNetwork(opening),
    ...command.slice(0, setpriv).map((each) => withFilter(each, opening)),
    // Only root can run bwrap without a user namespace, so the user changes inside. Only root with
    // capabilities can run as root in a user namespace.
    ...(isPrivileged || (parts.has('user') && uid === 0) ? [] : user),
    must(command[at], 'bwrap'),
    ...options,
    '--',
    ...(isPrivileged ? withoutCapabilities(user, parts) : []),
    ...command.slice(end + 1),
  ]
}

/** The uid and the gid in an option of setpriv or bwrap. */
function withUser(option: string, uid: number): string {
  return option.replace(/^(--re[ug]id)=\d+$/, `$1=${uid}`)
}

/** Root that keeps its capabilities needs an empty list of those to drop. */
function withoutCapabilities(
  account: readonly string[],
  parts: ReadonlySet<WallPart>,
): readonly string[] {
  return parts.has('capabilities') ? account.filter((each) => !/-caps=|-set=/.test(each)) : account
}

function withFilter(argument: string, { parts, openFilter }: OpenParts): string {
  return parts.has('system calls') && argument.endsWith('.bpf') ? openFilter : argument
}

function enterNetwork({ parts, networkOf }: OpenParts): readonly string[] {
  return parts.has('network') && networkOf !== null
    ? ['nsenter', `--target=${networkOf}`, '--net', '--']
    : []
}

function openOptions(options: readonly string[], opening: OpenParts): readonly string[] {
  const { parts, directories } = opening
  const dropped = new Set<string>()
  if (parts.has('processes')) ['--unshare-pid', '--as-pid-1'].forEach((each) => dropped.add(each))
  if (parts.has('network')) dropped.add('--unshare-net')
  const isPrivileged = parts.has('user namespace')
  if (isPrivileged) ['--unshare-user', '--uid', '--gid'].forEach((each) => dropped.add(each))
  if (isPrivileged || parts.has('capabilities')) dropped.add('--cap-drop')
  const kept: string[] = []
  for (let index = 0; index < options.length; index += 1) {
    const option = must(options[index], 'an option')
    if (dropped.has(option)) index += VALUES[option] ?? 0
    else if (parts.has('processes') && option === '--proc') {
      kept.push('--bind', '/proc', '/proc')
      index += 1
    } else if (parts.has('files') && option === '--remount-ro') index += 1
    else kept.push(option)
  }
  const visible = parts.has('files') ? directories : []
  return [
    // Root would create it for itself alone.
    ...(isPrivileged ? ['--perms', '0755', '--dir', '/etc'] : []),
    ...kept,
    ...visible.flatMap((each) => ['--dev-bind', each, each]),
    ...(isPrivileged || parts.has('capabilities') ? ['--cap-add', 'ALL'] : []),
  ]
}

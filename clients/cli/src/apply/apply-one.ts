import { diffLines } from '../diff/diff-lines.ts'
import { sameValue } from '../edit/same-value.ts'
import { CliError } from '../errors/cli-error.ts'
import { confirm } from '../input/confirm.ts'
import type { Session } from '../session/session.ts'
import type { Applicable, Applied, Plan } from './applicable.ts'
import { isJsonObject } from '../documents/json-object.ts'

/** Attempts if other clients change the object between the diff and the write. */
const ATTEMPTS = 5
const MAX_NAMED = 5

export interface ApplyMode {
  readonly dryRun: boolean
  /** Whether an object that exists is an error. */
  readonly onlyCreate: boolean
  /** Whether the user has agreed to the removal of fields. */
  readonly yes: boolean
  /** Receives the diff. */
  readonly print: (line: string) => void
}

/**
 * Shows what applying an object changes, and writes it unless it is a dry run. The write has exactly
 * the effect that was shown: if the object has changed meanwhile, the new diff follows.
 */
export async function applyOne(
  session: Session,
  object: Applicable,
  mode: ApplyMode,
): Promise<Applied> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const plan = await object.plan()
    if (mode.onlyCreate && plan.before !== null) throw exists(object)
    if (isUnchanged(plan)) {
      mode.print(`${object.label} unchanged`)
      return { outcome: 'unchanged', object: plan.current ?? {} }
    }
    if (!mode.onlyCreate) printDiff(session, plan, mode)
    if (mode.dryRun) {
      mode.print(`${object.label} ${outcomeOf(plan)}`)
      return { outcome: plan.before === null ? 'created' : 'updated', object: plan.result }
    }
    await confirmRemovals(session, object, { plan, yes: mode.yes })
    const applied = await object.write(plan)
    if (applied !== null) {
      mode.print(`${object.label} ${applied.outcome}`)
      return applied
    }
    session.err.write(`${object.label} has changed meanwhile.\n`)
  }
  throw new CliError(`${object.label} was not written: other clients keep changing it`, {
    hint: 'Repeat the command later.',
  })
}

function printDiff({ out }: Session, plan: Plan, { print }: ApplyMode): void {
  for (const line of diffLines(plan, out.colors)) print(line)
}

function exists({ label }: Applicable): CliError {
  return new CliError(`${label} exists`, {
    hint: "'flotilla apply' changes existing objects; 'flotilla edit' opens one in your editor.",
  })
}

function isUnchanged({ before, after }: Plan): boolean {
  return before !== null && sameValue(before, after)
}

function outcomeOf({ before }: Plan): string {
  return before === null ? 'created (dry run)' : 'updated (dry run)'
}

async function confirmRemovals(
  session: Session,
  { label }: Applicable,
  { plan, yes }: { readonly plan: Plan; readonly yes: boolean },
): Promise<void> {
  const removed = plan.before === null ? [] : removedPaths(plan.before, plan.after)
  if (removed.length === 0) return
  const rest = removed.length > MAX_NAMED ? ` and ${removed.length - MAX_NAMED} more` : ''
  const names = removed.slice(0, MAX_NAMED).join(', ')
  await confirm(session, `This removes ${names}${rest} from ${label}. Continue?`, yes)
}

/** The fields that a value has and its replacement lacks. Lists count as a whole. */
function removedPaths(before: unknown, after: unknown, path = ''): readonly string[] {
  if (!isJsonObject(before)) return []
  if (!isJsonObject(after)) return path === '' ? [] : [path]
  return Object.entries(before).flatMap(([key, value]) => {
    const place = path === '' ? key : `${path}.${key}`
    return Object.hasOwn(after, key) ? removedPaths(value, after[key], place) : [place]
  })
}

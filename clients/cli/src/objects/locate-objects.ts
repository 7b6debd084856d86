import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import { splitArguments } from '../targets/split-arguments.ts'
import { locateObject, type Place } from './locate-object.ts'
import type { LocatedObject } from './located-object.ts'
import { selectObjects, type Selection } from './select-objects.ts'

/** Reads the resources that arguments name, or that labels or a search select. */
export async function locateObjects(
  session: Session,
  args: readonly string[],
  options: Place & Selection & { readonly verb: string },
): Promise<readonly LocatedObject[]> {
  const located: LocatedObject[] = []
  const isSelecting =
    options.selector !== undefined || options.search !== undefined || options.all === true
  for (const { kind, names } of splitArguments(args)) {
    const kubectl = [options.verb, kind, ...names].join(' ')
    const target = await resolveTarget(session, kind, { kubectl, cluster: options.cluster })
    if (isSelecting === names.length > 0) throw unclear(kind, isSelecting)
    if (isSelecting) located.push(...(await selectObjects(session, target, options)))
    for (const name of names) {
      located.push(await locateObject(session, target, { ...options, name }))
    }
  }
  return located
}

function unclear(kind: string, isSelecting: boolean): CliError {
  return isSelecting
    ? new CliError('names and a selection exclude each other', { exit: 'usage' })
    : new CliError(`which ${kind}?`, {
        exit: 'usage',
        hint: 'Give names, -l LABELS, --search TSL, or --all.',
      })
}

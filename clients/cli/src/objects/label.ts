import type { LabelOptions } from '../commands/label.ts'
import { isJsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { changeObject } from './change-object.ts'
import { labelChanges } from './label-changes.ts'
import type { LocatedObject } from './located-object.ts'
import { locateObjects } from './locate-objects.ts'

const MERGE_PATCH = 'application/merge-patch+json'

/** Changes the labels of objects. */
export async function label(
  session: Session,
  args: readonly string[],
  options: LabelOptions,
): Promise<void> {
  const { objects, changes } = labelChanges(args)
  const located = await locateObjects(session, objects, { ...options, verb: 'label' })
  if (options.overwrite !== true) for (const one of located) refuseOverwrite(one, changes)
  for (const one of located) {
    await changeObject(session, one, {
      contentType: MERGE_PATCH,
      body: { labels: changes },
      dryRun: options.dryRun === true,
      isRepeatable: true,
      print: (line) => session.out.write(`${line}\n`),
    })
  }
  if (located.length === 0) session.err.write('No object matches.\n')
}

function refuseOverwrite(
  { label: name, object }: LocatedObject,
  changes: Readonly<Record<string, string | null>>,
): void {
  const labels = isJsonObject(object['labels']) ? object['labels'] : {}
  for (const [key, value] of Object.entries(changes)) {
    const current = labels[key]
    if (value === null || current === undefined || current === value) continue
    throw new CliError(
      `${name} has the label ${key}=${JSON.stringify(current)}; nothing was changed`,
      {
        hint: 'Change it with --overwrite.',
      },
    )
  }
}

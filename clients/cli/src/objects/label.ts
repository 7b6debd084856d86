import type { LabelOptions } from '../commands/label.ts'
import { isJsonObject, type JsonObject } from '../documents/json-object.ts'
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
  const located = await locateObjects(session, objects, options)
  if (options.overwrite !== true) for (const one of located) refuseOverwrite(one, changes)
  for (const one of located) {
    const body =
      one.target.api === 'hyperfleet' ? { labels: changes } : { metadata: { labels: changes } }
    await changeObject(session, one, {
      contentType: MERGE_PATCH,
      body,
      dryRun: options.dryRun === true,
      isRepeatable: true,
      print: (line) => session.out.write(`${line}\n`),
    })
  }
  if (located.length === 0) session.err.write('No object matches.\n')
}

function refuseOverwrite(
  { label: name, ...located }: LocatedObject,
  changes: Readonly<Record<string, string | null>>,
): void {
  const labels = labelsOf(located)
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

function labelsOf({ target, object }: Pick<LocatedObject, 'target' | 'object'>): JsonObject {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {}
  const labels = target.api === 'hyperfleet' ? object['labels'] : metadata['labels']
  return isJsonObject(labels) ? labels : {}
}

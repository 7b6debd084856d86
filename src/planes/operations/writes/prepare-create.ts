import { randomUUID } from 'node:crypto'
import { endLongTurn } from '../../../lib/async/steps.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { WriteContext } from '../../model/native-resource.ts'
import type { OperationsContext } from '../context.ts'
import { processInput } from '../input/process-input.ts'
import { hasGeneration, timestamp, withoutSystemFields } from '../input/system-fields.ts'
import { versionOf } from '../versioned-object.ts'
import { nativeOf } from '../write-context.ts'
import type { ObjectRequest } from '../write-request.ts'

/** The object of a creation before admission: decoded, with defaults and new system fields. */
export async function prepareCreate(
  context: Pick<OperationsContext, 'natives'>,
  request: ObjectRequest,
  circumstances: WriteContext,
): Promise<ApiObject> {
  const { target, input } = request
  const { type } = target
  const version = versionOf(type, target.version)
  const processed = await processInput(input, request)
  await endLongTurn()
  const withSystem = withNewSystemFields(processed, hasGeneration(type, version), circumstances.now)
  const { status: _status, ...unreported } = withSystem
  const started = version.hasStatus ? unreported : withSystem
  return nativeOf(context, target)?.strategy?.prepareCreate?.(started, circumstances) ?? started
}

function withNewSystemFields(object: ApiObject, hasGenerationField: boolean, now: Date): ApiObject {
  return {
    ...object,
    metadata: {
      ...withoutSystemFields(object.metadata),
      uid: randomUUID(),
      creationTimestamp: timestamp(now),
      ...(hasGenerationField && { generation: 1 }),
    },
  }
}

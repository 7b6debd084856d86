import type { ApiResponse } from '../kinds/sandbox-api.ts'
import { poll } from './poll.ts'

/** The conditions of a sandbox as `Type=Status/Reason`. */
export function conditionTexts({ body }: Pick<ApiResponse, 'body'>): readonly string[] {
  const conditions: readonly { type: string; status: string; reason: string }[] =
    body?.status?.conditions ?? []
  return conditions.map(({ type, status, reason }) => `${type}=${status}/${reason}`)
}

/**
 * Waits until the current generation of a sandbox has all conditions, given as `Type=Status` or
 * `Type=Status/Reason`.
 */
export async function waitForConditions(
  get: () => Promise<ApiResponse>,
  ...wanted: readonly string[]
): Promise<ApiResponse> {
  const has = (texts: readonly string[], text: string): boolean =>
    texts.some((each) => each === text || each.startsWith(`${text}/`))
  const answer = await poll(
    `conditions ${wanted.join(', ')}`,
    async () => {
      const { status, body, warnings } = await get()
      // Errors show the value: the managers of fields would fill most of the message.
      const metadata = { ...body.metadata, managedFields: undefined }
      return { status, body: { metadata, status: body.status }, warnings }
    },
    (response) =>
      response.body.status?.observedGeneration === response.body.metadata?.generation &&
      wanted.every((text) => has(conditionTexts(response), text)),
  )
  return answer
}

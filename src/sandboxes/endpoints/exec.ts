import { isJsonObject, type JsonObject, numberOf, textOf, textsOf } from 'flotilla'
import { type EndpointChunks, readDeclaredBody, type SubresourceEndpoint } from 'flotilla/planes'
import { reportActivity } from './report-activity.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { runningInstance } from './running-instance.ts'
import type { Command, CommandOutput } from './workload-access.ts'

/** A day, which is also the longest timeout of a command. */
const MAX_AGE_SECONDS = 86_400

/** POST of `exec`: runs a program and sends its output as lines of JSON. */
export function execEndpoint(parts: EndpointParts): SubresourceEndpoint {
  return {
    streamed: {
      verb: 'create',
      contentType: 'application/x-ndjson',
      maxAgeSeconds: MAX_AGE_SECONDS,
      open: async (request, given) => {
        const command = commandOf(readDeclaredBody(given, request.target))
        const instance = await runningInstance(parts, request)
        return linesOf(parts, instance.uid, parts.workloads.exec(instance, command, request.signal))
      },
      failure: (error) => `${JSON.stringify({ error })}\n`,
    },
  }
}

function commandOf(body: JsonObject): Command {
  const variables = Array.isArray(body['env']) ? body['env'].filter(isJsonObject) : []
  return {
    command: textsOf(body['command']),
    stdin: textOf(body['stdin']),
    env: variables.map((each) => ({ name: textOf(each['name']), value: textOf(each['value']) })),
    workingDir: textOf(body['workingDir']),
    timeoutSeconds: numberOf(body['timeoutSeconds']),
  }
}

/** The sandbox is in use until the program ends, also without output. */
async function* linesOf(
  parts: EndpointParts,
  uid: string,
  outputs: AsyncIterable<CommandOutput>,
): EndpointChunks {
  await using _activity = await reportActivity(parts, uid)
  for await (const output of outputs) yield lineOf(output)
}

function lineOf(output: CommandOutput): string {
  if ('exitCode' in output) return `${JSON.stringify({ exitCode: output.exitCode })}\n`
  const data = Buffer.from(output.data).toString('base64')
  return `${JSON.stringify({ stream: output.stream, data })}\n`
}

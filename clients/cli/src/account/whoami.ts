import type { Identity } from '../../../typescript/src/index.ts'
import type { WhoamiOptions } from '../commands/whoami.ts'
import { duration } from '../output/age.ts'
import { readFormat } from '../output/formats.ts'
import { json } from '../output/json.ts'
import { visibleText } from '../output/visible-text.ts'
import type { Session } from '../session/session.ts'

/** Shows the server and the identity of the caller. */
export async function whoami(session: Session, { output }: WhoamiOptions): Promise<void> {
  const format = readFormat(output, ['json', 'yaml', 'jsonpath'])
  const identity = await session.client.whoami({ signal: session.signal })
  const { out } = session
  if (format.name === 'json') out.write(json(identity))
  else if (format.name === 'yaml') out.write((await import('../diff/to-yaml.ts')).toYaml(identity))
  else if (format.name === 'jsonpath') {
    out.write((await import('../output/jsonpath.ts')).jsonpath(format.template, identity))
  } else for (const line of linesOf(session, identity)) out.write(`${visibleText(line)}\n`)
}

function linesOf({ connection, now }: Session, identity: Identity): readonly string[] {
  const { user, groups, tenant, expires_time: expires } = identity
  const context = connection.context === null ? '' : ` (context ${connection.context})`
  const left = expires === null ? 0 : Date.parse(expires) - now().getTime()
  return [
    `Server:          ${connection.server}${context}`,
    `User:            ${user}`,
    ...(groups.length > 0 ? [`Groups:          ${groups.join(', ')}`] : []),
    ...(tenant === null ? [] : [`Tenant:          ${pairsOf(tenant)}`]),
    `Authentication:  ${identity.authentication}`,
    `Authorization:   ${identity.authorization}`,
    ...(expires === null ? [] : [`Token:           valid for ${duration(left)}, until ${expires}`]),
  ]
}

function pairsOf(tenant: Readonly<Record<string, string>>): string {
  return Object.entries(tenant)
    .map(([dimension, value]) => `${dimension}=${value}`)
    .join(', ')
}

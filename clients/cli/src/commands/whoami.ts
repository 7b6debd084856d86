import type { Command } from 'commander'
import type { Identity } from '../../../typescript/src/index.ts'
import { duration } from '../output/age.ts'
import { readFormat } from '../output/formats.ts'
import { json } from '../output/json.ts'
import { visibleText } from '../output/visible-text.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'

/** The options of `flotilla whoami`. */
interface WhoamiOptions {
  readonly output?: string | undefined
}

/** `flotilla whoami` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('whoami')
    .description('Shows the server and who you are there.')
    .option('-o, --output <format>', "json, yaml or jsonpath='{.path}'")
    .action(async (options: WhoamiOptions, command: Command) => {
      const session = await open(command)
      await whoami(session, options)
    })
}

/** Shows the server and the identity of the caller. */
async function whoami(session: Session, { output }: WhoamiOptions): Promise<void> {
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

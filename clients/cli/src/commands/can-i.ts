import type { Command } from 'commander'
import { CliError } from '../errors/cli-error.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'
import { resolveTarget } from '../targets/resolve-target.ts'

/** The options of `flotilla can-i`. */
interface CanIOptions {
  readonly subresource?: string | undefined
  readonly quiet?: boolean | undefined
}

type Arguments = [string, string, string | undefined, CanIOptions, Command]

/** `flotilla can-i VERB KIND [NAME]` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('can-i')
    .description('Says whether you may do something. The exit code is 0 for yes and 1 for no.')
    .argument('<verb>', 'get, list, watch, create, patch, delete, report, ...')
    .argument('<kind>', 'a kind, such as clusters')
    .argument('[name]', 'one object, by its name')
    .option('--subresource <name>', 'such as status')
    .option('-q, --quiet', 'print nothing')
    .addHelpText('after', EXAMPLES)
    .action(async (...[verb, kind, name, options, command]: Arguments) => {
      const session = await open(command)
      await canI(session, { verb, kind, name }, options)
    })
}

const EXAMPLES = `
Examples:
  flotilla can-i delete clusters
  flotilla can-i patch cluster lisbon
`

interface Question {
  readonly verb: string
  readonly kind: string
  readonly name: string | undefined
}

interface Review {
  readonly status?: { readonly allowed?: boolean; readonly reason?: string } | undefined
}

/** The root plane decides about the kinds of the HyperFleet API, also about those in planes. */
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
const GROUP = 'hyperfleet.io'

/** Asks the server whether the caller may do something. Rejects if not, so that scripts can branch. */
async function canI(session: Session, question: Question, options: CanIOptions): Promise<void> {
  const { client, signal, out, err } = session
  const { authorization } = await client.whoami({ signal })
  const say = (text: string) => (options.quiet === true ? undefined : out.write(`${text}\n`))
  if (authorization === 'none') {
    say('yes')
    if (options.quiet !== true)
      err.write('This server has no authorization: every caller may do everything.\n')
    return
  }
  const { verb, kind, name } = question
  const [word = kind, subresource = options.subresource] = kind.split('/')
  const kubectl = ['auth can-i', verb, kind, ...(name === undefined ? [] : [name])].join(' ')
  const { plural: resource } = await resolveTarget(session, word, { kubectl })
  const attributes = { group: GROUP, resource, subresource, verb, name }
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: attributes },
  }
  const request = { method: 'POST', path: REVIEWS, body, signal, retry: 'always' } as const
  const { status } = (await client.request<Review>(request)).body
  if (status?.allowed === true) say('yes')
  else throw denied(question, status?.reason)
}

function denied({ verb, kind, name }: Question, reason: string | undefined): CliError {
  const what = name === undefined ? kind : `${kind} '${name}'`
  const detail = reason === undefined || reason === '' ? '' : `: ${reason}`
  return new CliError(`no, you may not ${verb} ${what}${detail}`, {
    hint: 'An administrator can bind a role to you; see the page about authorization.',
  })
}

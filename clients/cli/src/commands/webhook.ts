import { type Command, Option } from 'commander'
import { count } from '../program/count.ts'
import type { OpenSession } from '../program/register.ts'
import { seconds } from '../program/global-options.ts'
import { timeoutOption } from '../program/timeout-option.ts'
import type { CreateWebhookOptions } from '../webhooks/create-webhook.ts'
import type { DeliveriesOptions } from '../webhooks/list-deliveries.ts'
import type { RotateSecretOptions } from '../webhooks/rotate-secret.ts'
import type { TestOptions } from '../webhooks/test-webhook.ts'
import type { UpdateWebhookOptions } from '../webhooks/update-webhook.ts'

const EVENTS = ['created', 'updated', 'deleted', 'entered', 'left']

interface OutputOptions {
  readonly output?: string | undefined
}

/** `flotilla webhook list|create|get|update|rotate-secret|pause|resume|test|deliveries|redeliver|delete` */
export function register(program: Command, open: OpenSession): void {
  const webhook = program
    .command('webhook')
    .alias('webhooks')
    .description('Sends the changes of resources to URLs.')
  addList(webhook, open)
  addCreate(webhook, open)
  addGet(webhook, open)
  addUpdate(webhook, open)
  addRotateSecret(webhook, open)
  addState(webhook, open, 'pause')
  addState(webhook, open, 'resume')
  addTest(webhook, open)
  addDeliveries(webhook, open)
  addRedeliver(webhook, open)
  addDelete(webhook, open)
}

function addList(webhook: Command, open: OpenSession): void {
  webhook
    .command('list')
    .description('Lists the webhooks.')
    .option('-o, --output <format>', "wide, json, yaml, name or jsonpath='{.path}'")
    .action(async (options: OutputOptions, command: Command) => {
      const { listWebhooks } = await import('../webhooks/list-webhooks.ts')
      await listWebhooks(await open(command), options)
    })
}

function addCreate(webhook: Command, open: OpenSession): void {
  webhook
    .command('create')
    .description('Creates a webhook, and prints the secret that verifies its events.')
    .argument('<url>', 'receives the events by POST')
    .option('--kind <kinds...>', 'only events of these kinds, such as clusters')
    .option('--search <tsl>', 'only events of resources that match a search')
    .addOption(new Option('--event <names...>', 'only these events').choices(EVENTS))
    .option('--description <text>', 'what it is for')
    .option('-o, --output <format>', "json, yaml, name or jsonpath='{.path}'")
    .action(async (url: string, options: CreateWebhookOptions, command: Command) => {
      const { createWebhook } = await import('../webhooks/create-webhook.ts')
      await createWebhook(await open(command), url, options)
    })
}

function addGet(webhook: Command, open: OpenSession): void {
  webhook
    .command('get')
    .description('Shows a webhook.')
    .argument('<webhook>', 'an ID')
    .option('-o, --output <format>', "json, yaml or jsonpath='{.path}'")
    .action(async (id: string, options: OutputOptions, command: Command) => {
      const { showWebhook } = await import('../webhooks/show-webhook.ts')
      await showWebhook(await open(command), id, options)
    })
}

function addUpdate(webhook: Command, open: OpenSession): void {
  webhook
    .command('update')
    .description('Changes a webhook. Fields without an option stay.')
    .argument('<webhook>', 'an ID')
    .option('--url <url>', 'receives the events by POST')
    .option('--kind <kinds...>', 'only events of these kinds, or all')
    .option('--search <tsl>', "only events of resources that match a search; '' for all resources")
    .addOption(
      new Option('--event <names...>', 'only these events, or all').choices([...EVENTS, 'all']),
    )
    .option('--description <text>', 'what it is for')
    .action(async (id: string, options: UpdateWebhookOptions, command: Command) => {
      const { updateWebhook } = await import('../webhooks/update-webhook.ts')
      await updateWebhook(await open(command), id, options)
    })
}

function addRotateSecret(webhook: Command, open: OpenSession): void {
  webhook
    .command('rotate-secret')
    .description('Replaces the secret that verifies events, and prints the new one.')
    .argument('<webhook>', 'an ID')
    .addOption(
      new Option(
        '--overlap <duration>',
        'how long events are signed with the old secret too, at most 7d',
      )
        .argParser(seconds)
        .default(seconds('24h'), '24h'),
    )
    .addOption(
      new Option('--revoke', 'the old secret becomes invalid immediately').conflicts('overlap'),
    )
    .option('-o, --output <format>', "json, yaml, name or jsonpath='{.path}'")
    .action(async (id: string, options: RotateSecretOptions, command: Command) => {
      const { rotateSecret } = await import('../webhooks/rotate-secret.ts')
      await rotateSecret(await open(command), id, options)
    })
}

function addState(webhook: Command, open: OpenSession, verb: 'pause' | 'resume'): void {
  webhook
    .command(verb)
    .description(
      verb === 'pause'
        ? 'Stops the deliveries of webhooks, which still collect events.'
        : 'Starts the deliveries of paused and disabled webhooks again.',
    )
    .argument('<webhooks...>', 'IDs')
    .action(async (ids: readonly string[], _options: unknown, command: Command) => {
      const { changeState } = await import('../webhooks/change-state.ts')
      await changeState(await open(command), { verb, ids })
    })
}

function addTest(webhook: Command, open: OpenSession): void {
  webhook
    .command('test')
    .description('Sends a test event, and waits for the response of the receiver.')
    .argument('<webhook>', 'an ID')
    .option('--no-wait', 'do not wait for the response')
    .addOption(timeoutOption('1m'))
    .action(async (id: string, options: TestOptions, command: Command) => {
      const { testWebhook } = await import('../webhooks/test-webhook.ts')
      await testWebhook(await open(command), id, options)
    })
}

function addDeliveries(webhook: Command, open: OpenSession): void {
  webhook
    .command('deliveries')
    .description('Lists deliveries with their last errors, newest first.')
    .argument('<webhook>', 'an ID')
    .addOption(
      new Option('--state <state>', 'only these; dead letters are dead').choices([
        'pending',
        'delivered',
        'dead',
      ]),
    )
    .addOption(
      new Option('--limit <number>', 'how many deliveries').argParser(count).default(DEFAULT_LIMIT),
    )
    .option('-o, --output <format>', "wide, json, yaml, name or jsonpath='{.path}'")
    .action(async (id: string, options: DeliveriesOptions, command: Command) => {
      const { listDeliveries } = await import('../webhooks/list-deliveries.ts')
      await listDeliveries(await open(command), id, options)
    })
}

const DEFAULT_LIMIT = 50

function addRedeliver(webhook: Command, open: OpenSession): void {
  webhook
    .command('redeliver')
    .description('Sends dead letters again: all of them, or those with the given IDs.')
    .argument('<webhook>', 'an ID')
    .argument('[deliveries...]', 'IDs of dead letters')
    .action(
      async (id: string, deliveries: readonly string[], _options: unknown, command: Command) => {
        const { redeliver } = await import('../webhooks/redeliver.ts')
        await redeliver(await open(command), id, deliveries)
      },
    )
}

function addDelete(webhook: Command, open: OpenSession): void {
  webhook
    .command('delete')
    .description('Deletes webhooks with their pending deliveries.')
    .argument('<webhooks...>', 'IDs')
    .option('-y, --yes', 'do not ask')
    .action(
      async (ids: readonly string[], options: { readonly yes?: boolean }, command: Command) => {
        const { deleteWebhooks } = await import('../webhooks/delete-webhooks.ts')
        await deleteWebhooks(await open(command), ids, options)
      },
    )
}

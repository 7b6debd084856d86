import { type Command, Option } from 'commander'
import type { ClaimOptions } from '../fleets/claim-member.ts'
import type { CreateFleetOptions } from '../fleets/create-fleet.ts'
import type { DeleteFleetOptions } from '../fleets/delete-fleet.ts'
import type { MembersOptions } from '../fleets/list-members.ts'
import type { ReleaseOptions } from '../fleets/release-member.ts'
import type { ScaleOptions } from '../fleets/scale-fleet.ts'
import { seconds } from '../program/global-options.ts'
import type { OpenSession } from '../program/register.ts'
import { timeoutOption } from '../program/timeout-option.ts'
import { fleetPath } from '../fleets/fleet-path.ts'
import { wholeNumber } from '../program/whole-number.ts'

/** `flotilla fleet create|scale|members|claim|release|recycle|delete|list` */
export function register(program: Command, open: OpenSession): void {
  const fleet = program
    .command('fleet')
    .description('Creates, scales and deletes fleets of clusters, and claims their members.')
  addList(fleet, open)
  addCreate(fleet, open)
  addScale(fleet, open)
  addMembers(fleet, open)
  addClaim(fleet, open)
  addRelease(fleet, open)
  addRecycle(fleet, open)
  addDelete(fleet, open)
}

function addList(fleet: Command, open: OpenSession): void {
  fleet
    .command('list')
    .description('Lists the fleets.')
    .option('-o, --output <format>', "wide, json, yaml, name or jsonpath='{.path}'")
    .action(async ({ output }: { readonly output?: string }, command: Command) => {
      const { listObjects } = await import('../planes/list-objects.ts')
      const fleets = { plural: 'fleets', singular: 'fleet', showNamespace: false }
      await listObjects(await open(command), { ...fleets, path: fleetPath() }, output)
    })
}

function addCreate(fleet: Command, open: OpenSession): void {
  fleet
    .command('create')
    .description('Creates a fleet, and waits until its members are ready.')
    .argument('<name>')
    .requiredOption('--replicas <number>', 'the number of members', wholeNumber)
    .option('--prefix <text>', 'the beginning of the names of its members')
    .option('--scenario <name>', 'the scenario with the content of the members')
    .option('--objects <files...>', "files with the objects of the members' planes")
    .option('--ttl <seconds>', 'delete the fleet after this time', wholeSeconds)
    .option('--delete-members', 'delete clusters that leave the fleet, instead of keeping them')
    .option('--no-wait', 'do not wait for the members')
    .addOption(timeoutOption('10m'))
    .action(async (name: string, options: CreateFleetOptions, command: Command) => {
      const { createFleet } = await import('../fleets/create-fleet.ts')
      await createFleet(await open(command), name, options)
    })
}

function addScale(fleet: Command, open: OpenSession): void {
  fleet
    .command('scale')
    .description('Sets the number of members, and waits for it.')
    .argument('<name>')
    .argument('<replicas>', 'the number of members', wholeNumber)
    .option('--no-wait', 'do not wait for the members')
    .addOption(timeoutOption('10m'))
    .action(async (name: string, replicas: number, options: ScaleOptions, command: Command) => {
      const { scaleFleet } = await import('../fleets/scale-fleet.ts')
      await scaleFleet(await open(command), { name, replicas }, options)
    })
}

function addMembers(fleet: Command, open: OpenSession): void {
  fleet
    .command('members')
    .description('Lists the members of a fleet with their claims.')
    .argument('<name>')
    .addOption(
      new Option('--phase <phase>', 'only members in a phase').choices([
        'Pending',
        'Ready',
        'Failed',
      ]),
    )
    .option('-o, --output <format>', "json, yaml, name or jsonpath='{.path}'")
    .action(async (name: string, options: MembersOptions, command: Command) => {
      const { listMembers } = await import('../fleets/list-members.ts')
      await listMembers(await open(command), name, options)
    })
}

function addClaim(fleet: Command, open: OpenSession): void {
  fleet
    .command('claim')
    .description('Claims a ready member that is not claimed.')
    .argument('<name>', 'a fleet')
    .option('--holder <name>', 'who claims it, for people (default: you)')
    .option('--ttl <seconds>', 'when the claim ends by itself (default: never)', seconds)
    .option('--member <cluster>', 'this member only')
    .option('-l, --selector <labels>', 'only members whose clusters have labels')
    .option('--create-on-empty', 'create one more member if none is free')
    .addOption(
      new Option('--wait <seconds>', 'wait for a free member')
        .argParser(seconds)
        .default(0, 'do not wait'),
    )
    .option('-o, --output <format>', "json, yaml, name or jsonpath='{.path}'")
    .action(async (name: string, options: ClaimOptions, command: Command) => {
      const { claimMember } = await import('../fleets/claim-member.ts')
      await claimMember(await open(command), name, options)
    })
}

function addRelease(fleet: Command, open: OpenSession): void {
  fleet
    .command('release')
    .description('Ends the claim of a member.')
    .argument('<name>', 'a fleet')
    .argument('<member>', 'the name of a cluster')
    .option('--claim <id>', 'only if it has this claim')
    .addOption(
      new Option('--then <policy>', 'empty the member, replace it, or leave it as it is')
        .choices(['Recycle', 'Delete', 'Keep'])
        .default('Recycle'),
    )
    .action(async (name: string, member: string, options: ReleaseOptions, command: Command) => {
      const { releaseMember } = await import('../fleets/release-member.ts')
      await releaseMember(await open(command), { fleet: name, member }, options)
    })
}

function addRecycle(fleet: Command, open: OpenSession): void {
  fleet
    .command('recycle')
    .description(
      'Resets members to their template that cannot be claimed without it, or one member.',
    )
    .argument('<name>', 'a fleet')
    .argument('[member]', 'the name of a cluster that is not claimed')
    .action(async (name: string, member: string | undefined, _: object, command: Command) => {
      const { recycleMembers } = await import('../fleets/recycle-members.ts')
      await recycleMembers(await open(command), name, member)
    })
}

function addDelete(fleet: Command, open: OpenSession): void {
  fleet
    .command('delete')
    .description("Deletes a fleet. Its clusters stay unless its deletionPolicy is 'Delete'.")
    .argument('<name>')
    .addOption(new Option('--delete-members', 'also delete its clusters').conflicts('keepMembers'))
    .option('--keep-members', 'keep its clusters')
    .option('-y, --yes', 'do not ask')
    .option('--no-wait', 'only request the deletion')
    .addOption(timeoutOption('10m'))
    .action(async (name: string, options: DeleteFleetOptions, command: Command) => {
      const { deleteFleet } = await import('../fleets/delete-fleet.ts')
      await deleteFleet(await open(command), name, options)
    })
}

function wholeSeconds(text: string): number {
  return Math.ceil(seconds(text) / 1000)
}

import { expect, test } from 'vitest'
import { COMMANDS } from '../../../clients/cli/src/program/commands.ts'

/** A script without types. */
const SERVER_COMMANDS = new URL('../../../clients/cli/bin/server-commands.mjs', import.meta.url)

test("the starter runs each listed command of the server's program", async () => {
  const { SERVER_COMMANDS: started } = await import(SERVER_COMMANDS.href)
  const listed = COMMANDS.filter(({ load }) => load === undefined).map(({ name }) => name)
  expect(started).toEqual(listed)
})

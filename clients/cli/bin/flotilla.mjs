#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { isServerCommand, SERVER_COMMANDS } from './server-commands.mjs'

const at = (/** @type {string} */ file) => new URL(`../../../${file}`, import.meta.url)

/** Whether this is a clone, in which the command builds itself. Installed packages contain builds. */
const isClone = existsSync(at('src/tools/targets.mjs'))
const words = process.argv.slice(2)
// `flotilla help start` is `flotilla start --help`.
const isHelp = words[0] === 'help' && SERVER_COMMANDS.includes(words[1] ?? '')
const command = (isHelp ? words[1] : words[0]) ?? ''

if (isServerCommand(isHelp ? [command] : words)) {
  if (isClone) await prepareServer()
  if (isHelp) process.argv.splice(2, 2, command, '--help')
  const { runFromCommandLine } = await import(at('dist/cmd/command-line.js').href)
  await runFromCommandLine({ banner: true })
} else {
  if (isClone) await prepareCommand()
  // Newer versions of Node keep compiled code between runs.
  module.enableCompileCache?.()
  const { main } = await import(at('clients/cli/dist/main.js').href)
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  process.exit(await main(words, version))
}

async function prepareServer() {
  const { installPackages } = await import(at('src/tools/install-packages.mjs').href)
  const { buildTargetIfStale } = await import(at('src/tools/build-target.mjs').href)
  const { CONSOLE, SERVER } = await import(at('src/tools/targets.mjs').href)
  await installPackages()
  await buildTargetIfStale(SERVER)
  if (command === 'start') await buildTargetIfStale(CONSOLE)
}

/** Compares only times if nothing has changed, because this precedes every command. */
async function prepareCommand() {
  const root = fileURLToPath(at('.'))
  const out = fileURLToPath(at('clients/cli/dist'))
  const times = await import(at('src/tools/source-times.mjs').href)
  if (times.hasSameTimes(root, out)) return
  const { installPackages } = await import(at('src/tools/install-packages.mjs').href)
  const { buildTargetIfStale } = await import(at('src/tools/build-target.mjs').href)
  const { COMMAND } = await import(at('src/tools/targets.mjs').href)
  await installPackages()
  const found = times.sourceTimes(root, [...COMMAND.sources, 'node_modules/.package-lock.json'])
  await buildTargetIfStale(COMMAND)
  times.recordSourceTimes(out, found)
}

#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'

/** Commands that run in the server's program. */
const SERVER_COMMANDS = ['start', 'migrate', 'sandboxd', 'backup', 'restore', 'doctor']

const at = (/** @type {string} */ file) => new URL(`../../../${file}`, import.meta.url)
const command = process.argv[2] ?? ''
const isServer = SERVER_COMMANDS.includes(command)

// In a clone, the command builds itself. An installed package contains the builds.
if (existsSync(at('src/tools/targets.mjs'))) {
  const { installPackages } = await import(at('src/tools/install-packages.mjs').href)
  const { buildTargetIfStale } = await import(at('src/tools/build-target.mjs').href)
  const { COMMAND, CONSOLE, SERVER } = await import(at('src/tools/targets.mjs').href)
  await installPackages()
  const start = command === 'start' ? [CONSOLE] : []
  for (const target of isServer ? [SERVER, ...start] : [COMMAND]) await buildTargetIfStale(target)
}

if (isServer) {
  const { runFromCommandLine } = await import(at('dist/cmd/command-line.js').href)
  await runFromCommandLine({ banner: true })
} else {
  const { main } = await import(at('clients/cli/dist/cli/src/main.js').href)
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  process.exit(await main(process.argv.slice(2), version))
}

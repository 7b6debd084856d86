import { buildTargetIfStale } from './build-target.mjs'
import { installPackages } from './install-packages.mjs'
import { CONSOLE, SERVER } from './targets.mjs'

await installPackages()
await buildTargetIfStale(SERVER)
await buildTargetIfStale(CONSOLE)
const entry = new URL('../../dist/cmd/command-line.js', import.meta.url)
const { runFromCommandLine } = await import(entry.href)
await runFromCommandLine({ banner: true })

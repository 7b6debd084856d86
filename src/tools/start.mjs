import { buildIfStale } from './build-dist.mjs'
import { installPackages } from './install-packages.mjs'

await installPackages()
await buildIfStale()
const entry = new URL('../../dist/cmd/command-line.js', import.meta.url)
const { runFromCommandLine } = await import(entry.href)
await runFromCommandLine({ banner: true })

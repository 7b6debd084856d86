import { buildDist } from './build-dist.mjs'
import { installPackages } from './install-packages.mjs'

await installPackages()
await buildDist()

import { buildTargetIfStale } from './build-target.mjs'
import { installPackages } from './install-packages.mjs'
import { PRISMA_CLIENT } from './targets.mjs'

await installPackages()
await buildTargetIfStale(PRISMA_CLIENT)

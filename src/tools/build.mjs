import { buildTarget } from './build-target.mjs'
import { installPackages } from './install-packages.mjs'
import { TARGETS } from './targets.mjs'

await installPackages()
for (const target of TARGETS) await buildTarget(target)

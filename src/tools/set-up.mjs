import { buildTargetIfStale } from './build-target.mjs'
import { installPackages } from './install-packages.mjs'
import { GENERATED_SOURCES } from './targets.mjs'

await installPackages()
for (const target of GENERATED_SOURCES) await buildTargetIfStale(target)

import { installPackages } from './install-packages.mjs'

await installPackages()

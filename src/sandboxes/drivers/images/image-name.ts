import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'

/** As names in registries, such as `python:3.12` or `registry.example/team/app@v1`. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$/
/** The name is a file name. */
const MAX_LENGTH = 200

/** Checks the name of an image, which is a value of `image`. */
export function checkImageName(name: string): string {
  if (NAME.test(name) && encodeURIComponent(name).length <= MAX_LENGTH) return name
  throw new SandboxDriverError(
    'INVALID_ARGUMENT',
    `'${name}' is no name of an image: use letters, digits and . _ : / @ + -, at most ${MAX_LENGTH} bytes, such as python:3.12`,
  )
}

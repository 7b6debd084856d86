/** The type under which an adapter's Available surfaces: `gcp-provisioner` as `GcpProvisionerSuccessful`. */
export function conditionType(adapter: string): string {
  return `${adapter.split('-').map(capitalize).join('')}Successful`
}

function capitalize(part: string): string {
  const [first = '', ...rest] = part
  return first.toUpperCase() + rest.join('')
}

/** The condition type of an adapter's Available: `GcpProvisionerSuccessful` for `gcp-provisioner`. */
export function conditionType(adapter: string): string {
  return `${adapter.split('-').map(capitalize).join('')}Successful`
}

function capitalize(part: string): string {
  const [first = '', ...rest] = part
  return first.toUpperCase() + rest.join('')
}

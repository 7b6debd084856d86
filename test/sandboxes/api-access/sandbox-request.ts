/** The program that sends the requests. */
export const CURL = '/usr/bin/curl'
/** The directory with the files of the access. */
export const FILES = '/var/run/secrets/kubernetes.io/serviceaccount'

/** A script that prints the status of a request, sent as a client in a pod sends it. */
export function request(path: string, token = `$(cat ${FILES}/token)`): string {
  const url = `https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT${path}`
  return (
    `curl -s -o /tmp/answer -w '%{http_code}' --max-time 20 --path-as-is --cacert ${FILES}/ca.crt ` +
    `-H "Authorization: Bearer ${token}" "${url}"`
  )
}

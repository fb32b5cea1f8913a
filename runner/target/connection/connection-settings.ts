/** How the way to a server is made: everything that is no request. */
export interface ConnectionSettings {
  /** Sent with every request to the target; their values are secrets. */
  headers: readonly (readonly [name: string, value: string])[]
  /** Certificates that are trusted in place of the usual ones, PEM. */
  ca?: string
  /** Who the client is to a server that asks, PEM. */
  client?: { certificate: string; key: string; passphrase?: string }
  /** No certificate is looked at. */
  insecure: boolean
  /** Every request goes through this one. */
  proxy?: URL
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY are read from there, where no proxy is named. */
  environment: NodeJS.ProcessEnv
}

export const plainConnection: ConnectionSettings = { headers: [], insecure: false, environment: {} }

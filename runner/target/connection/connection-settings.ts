/** Settings of a connection to a server. */
export interface ConnectionSettings {
  /** Sent with every request to the target; the values are secrets. */
  headers: readonly (readonly [name: string, value: string])[]
  /** Trusted certificates in place of the default ones, PEM. */
  ca?: string
  /** Client certificate, PEM. */
  client?: { certificate: string; key: string; passphrase?: string }
  /** No certificate is verified. */
  insecure: boolean
  proxy?: URL
  /** Provides HTTP_PROXY, HTTPS_PROXY and NO_PROXY if `proxy` is absent. */
  environment: NodeJS.ProcessEnv
}

export const plainConnection: ConnectionSettings = { headers: [], insecure: false, environment: {} }

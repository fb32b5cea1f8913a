export interface ConnectionSettings {
  /** The values are secrets. */
  headers: readonly (readonly [name: string, value: string])[]
  ca?: string
  client?: { certificate: string; key: string; passphrase?: string }
  insecure: boolean
  proxy?: URL
  /** For HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  environment: NodeJS.ProcessEnv
}

export const plainConnection: ConnectionSettings = { headers: [], insecure: false, environment: {} }

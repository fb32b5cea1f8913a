/** Options of `conform simulate`. */
export interface SimulateFlags {
  port: number
  host: string
  behaviour: string
  allowHost?: string[]
  allowOrigin?: string[]
  authorization: string
  maxTokenLifetime?: number
  protocolVersion?: number
  synchronizers?: number
  seed?: string
  data?: string
  save?: boolean
  /** DARs. */
  package?: string[]
  /** Ids. */
  user?: string[]
  control?: boolean
  verbose?: boolean
  mutant?: string
  variant?: string[]
}

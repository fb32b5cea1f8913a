/** How `conform run` was called. */
export interface RunFlags {
  target?: string
  /** A target file; what is said here counts more. */
  config?: string
  profile: string
  authorization?: string
  out: string
  suite?: string
  only?: string
  seed?: string
  protocolVersion?: number
  concurrency: number
  allowUpload?: true
  /** Regular expressions. */
  redact: string[]
  /** Minutes that the run may take. */
  maxTime: number
  /** The record, or its folder, of a run that was ended early. */
  resume?: string
  color: boolean
}

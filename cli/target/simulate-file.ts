/** Options of `conform simulate`, from the command line and from the section `simulator` of conform.yaml. */

import { readTargetFile, TargetFileError } from '../../runner/target/settings-layer.js'
import { dataOf, entriesOf, type Located, member } from '../../runner/yaml/located.js'
import { camelCase, conformFile } from './conform-file.js'

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

export interface SimulateFile {
  flags: Partial<SimulateFlags>
  /** The error of an option that this file gives, with its line. */
  problem(option: string, problem: string): TargetFileError
}

/** Undefined where the file says nothing of the simulator. Rejects with `TargetFileError`. */
export async function readSimulateFile(environment: NodeJS.ProcessEnv): Promise<SimulateFile | undefined> {
  const { root } = await readTargetFile(conformFile, environment, 'simulator')
  const section = member(root, 'simulator')
  return section && { flags: flagsIn(section), problem: (option, problem) => problemAt(section, option, problem) }
}

const flagsIn = (section: Located): Partial<SimulateFlags> =>
  Object.fromEntries(entriesOf(section).map(({ name, value }) => [camelCase(name), dataOf(value)])) // as the schema says

function problemAt(section: Located, option: string, message: string): TargetFileError {
  const { location } = member(section, option) ?? section
  return new TargetFileError([{ location, message: `${option}: ${message}`, sourceLine: '' }])
}

import { camelCase } from '../../lib/camel-case.js'
import { member, type SettingValue, settingsIn } from '../../runner/target/setting-value.js'
import { readTargetFile } from '../../runner/target/settings-layer.js'
import { FindingsError } from '../../runner/yaml/findings.js'
import { conformFile } from './conform-file.js'

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
  package?: string[]
  user?: string[]
  control?: boolean
  verbose?: boolean
}

export interface SimulateFile {
  flags: Partial<SimulateFlags>
  problem(option: string, problem: string): FindingsError
}

/** Undefined without a section `simulator`. Rejects with `FindingsError`. */
export async function readSimulateFile(environment: NodeJS.ProcessEnv): Promise<SimulateFile | undefined> {
  const { root } = await readTargetFile(conformFile, environment, ['simulator'])
  const section = member(root, 'simulator')
  return section && { flags: flagsIn(section), problem: (option, problem) => problemAt(section, option, problem) }
}

const flagsIn = (section: SettingValue): Partial<SimulateFlags> =>
  Object.fromEntries(settingsIn(section).map(({ name, value }) => [camelCase(name), value])) // the schema was checked

function problemAt(section: SettingValue, option: string, message: string): FindingsError {
  const { location } = member(section, option) ?? section
  return new FindingsError('target', [{ location, message: `${option}: ${message}`, sourceLine: '' }])
}

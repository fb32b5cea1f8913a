/** The configurations of a run. */
import type { RecordedConfiguration, RunHeader, RunRow } from '../../record/types/record.js'
import { count } from './words.js'

/** Empty for a run with one configuration. */
export const configurationLines = ({ configurations = [] }: Pick<RunHeader, 'configurations'>): string[] =>
  configurations.map((one, index) => `configuration ${index + 1}: ${configurationInWords(one)}`)

function configurationInWords(one: RecordedConfiguration): string {
  const { url, version, protocolVersion, authorization, synchronizers, judged, seed } = one
  return [
    `${url}${version === undefined ? '' : ` (${version})`}`,
    protocolVersion === undefined ? 'protocol version unknown' : `protocol version ${protocolVersion}`,
    authorization === 'none' ? 'no authorization' : `authorization ${authorization}`,
    synchronizers === 'one' ? 'one synchronizer' : 'several synchronizers',
    `${count(judged, 'row')} judged, seed ${seed}`,
  ].join(', ')
}

/** The header with the target of the configuration in which the row ran. */
export function headerOfRow(header: RunHeader, { configuration = 1 }: Pick<RunRow, 'configuration'>): RunHeader {
  const found = configuration === 1 ? undefined : header.configurations?.[configuration - 1]
  if (!found) return header
  const { url, authorization } = found
  return { ...header, target: { ...header.target, url, authorization } }
}

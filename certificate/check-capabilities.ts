/** Whether what a header says the target can do agrees with the rest of the header and with the exchanges. */
import type { RunHeader, RunRecord } from '../record/record.js'
import { capabilitiesByVersion } from '../runner/provision/capabilities.js'
import { altered, type BundleFinding } from './finding.js'

export function checkCapabilities({ header, rows }: RunRecord): BundleFinding[] {
  const { capabilities } = header
  const wrong = Object.entries(expected(header)).filter(
    ([name, value]) => capabilities[name] !== undefined && value !== undefined && capabilities[name] !== value,
  )
  const withToken = header.target.authorization === 'none' ? rows.find(carriesToken) : undefined
  return [
    ...wrong.map(([name]) => `the header says ${name}: ${capabilities[name]}, and its other members contradict that`),
    ...(withToken
      ? [`the header says that the target takes no tokens, and ${withToken.id} sent an Authorization header`]
      : []),
  ].map(altered)
}

/** As the run decides them; undefined where the header has nothing about it. */
function expected({ target, variables }: RunHeader): Record<string, boolean | undefined> {
  const isOpen = target.authorization === 'none'
  const { 'contract-keys': hasKeys } = capabilitiesByVersion({}, target.protocolVersion)
  const hasSecond = variables && variables['otherSynchronizerId'] !== undefined
  return {
    authorization: !isOpen,
    'open-access': isOpen,
    'contract-keys': hasKeys === true,
    ...(hasKeys !== true && { 'hashing-v3': false }),
    'direct-connection': target.connection?.proxy === undefined,
    'several-synchronizers': hasSecond,
    ...(hasSecond === true && { 'one-synchronizer': false }),
    'prepared-synchronizer': variables && variables['preparedSynchronizerId'] !== undefined,
  }
}

/** Some rows write the header themselves. */
const carriesToken = ({ evidence, resolved }: RunRecord['rows'][number]): boolean =>
  evidence.some(({ step, request }) => {
    const sent = resolved.steps[step]
    const isOwn = sent?.token !== undefined || sent?.request.headers['authorization'] !== undefined
    return !isOwn && request.headers.some(([name]) => name.toLowerCase() === 'authorization')
  })

import { plainConnection } from '../../../runner/target/connection/connection-settings.js'
import { secretKey } from '../../../runner/target/credentials/minting-key.js'
import { defaultAdministrator, readUrl, type Target } from '../../../runner/target/target.js'

/** `authorization`: `none` or `hs256:SECRET`. */
export function readTarget(url: string, authorization: string): Target {
  const rest = {
    url: readUrl(url),
    callers: new Map(),
    administrator: defaultAdministrator,
    connection: plainConnection,
  }
  if (authorization === 'none') return { ...rest, authorization: { kind: 'none' } }
  return { ...rest, authorization: { kind: 'minted', key: secretKey(authorization.replace(/^hs256:/, '')) } }
}

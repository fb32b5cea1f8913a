import type { PublicTexts, Redaction } from '../../lib/redaction/redaction.js'
import type { Suite } from '../suite/suite.js'
import { proxyFor } from './connection/proxy-for.js'
import type { Target } from './target.js'

/**
 * Secrets that the settings of the target state: a target can echo them in any answer. Tokens and signing keys are registered at
 * their creation. Throws `ProxySettingError`.
 */
export function registerSecrets(target: Target, redaction: Redaction): void {
  for (const [secret, label] of knownSecrets(target)) redaction.register(secret, label)
}

/** The suite sends its constants to every target, and its names are parts of the names of parties and users. */
export const publicTextsOf = ({ tokens, fixtures, actors }: Suite): PublicTexts => ({
  constants: new Set([...tokens.values()].flatMap(({ header }) => (header ? [header] : []))),
  words: new Set([...actors.keys(), ...[...fixtures.values()].flatMap(({ party }) => (party ? [party.hint] : []))]),
})

function knownSecrets({ url, connection, callers }: Target): [secret: string, label: string][] {
  const { headers, client } = connection
  const proxy = proxyFor(new URL(url), connection)
  return [
    ...headers.map(([name, value]): [string, string] => [value, `header ${name}`]),
    ...(proxy ? [[decodeURIComponent(proxy.password), 'password of the proxy'] satisfies [string, string]] : []),
    ...(client ? [[client.key.replace(/-----[^-]+-----|\s/g, ''), 'client key'] satisfies [string, string]] : []),
    ...(client?.passphrase !== undefined
      ? [[client.passphrase, 'passphrase of the client key'] satisfies [string, string]]
      : []),
    ...[...callers.values()].flatMap(({ user, source }): [string, string][] =>
      source?.secret === undefined ? [] : [[source.secret, `client secret of ${user}`]],
    ),
  ]
}

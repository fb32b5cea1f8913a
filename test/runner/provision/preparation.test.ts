/** Protocol version, hashing schemes and hashes, read from prepared transactions. */
import t from 'tap'
import { isJsonObject, type JsonValue, parseJson } from '../../../lib/json/json.js'
import { consoleSummary } from '../../../reports/formats/console.js'
import type { Tokens } from '../../../runner/execute/tokens.js'
import { callerAs } from '../../../runner/provision/caller.js'
import { type Preparation, probePreparation } from '../../../runner/provision/preparation.js'
import { damage } from '../../../runner/sign/alter.js'
import type { ActorUsers } from '../../../runner/target/actor-users.js'
import type { Transport } from '../../../runner/transport/transport.js'
import { resolvedRow } from '../../support/records/judged-row.js'
import { sampleRecord } from '../../support/records/sample-record.js'
import { answered, filed } from '../../support/records/small-evidence.js'
import { vectors } from '../../support/replay/recorded-vectors.js'
import { stepOf } from '../../support/suites/small-suite.js'

/** `answer`: the answer of prepare by scheme; undefined: a refusal. */
function probe(answer: (scheme: string) => JsonValue | undefined): Promise<Preparation> {
  const discovery = {
    version: undefined,
    participantId: 'p',
    synchronizerIds: ['s::1220'],
    externalParties: true as const,
    packageIds: new Set<string>(),
  }
  const tokens: Tokens = { header: () => Promise.resolve(undefined) }
  const transport: Transport = {
    send: ({ body }) => {
      const request = parseJson(body?.toString('utf8') ?? 'null')
      const prepared = answer(isJsonObject(request) ? String(request['hashingSchemeVersion']) : '')
      const given = answered(prepared ?? null, prepared === undefined ? { status: 400 } : {})
      const [evidence] = filed(resolvedRow([stepOf()]), [given])
      return evidence ? Promise.resolve(evidence) : Promise.reject(new Error('the row has one step'))
    },
  }
  const actorUsers: ActorUsers = {
    byActor: new Map(),
    provisioner: { code: 'nothing-permitted' },
    defaultUser: 'user',
    canForge: true,
    hasOwnAudience: false,
  }
  const as = (user: string) => callerAs(user, transport, tokens)
  return probePreparation(new Map([['alice', 'alice::1220']]), actorUsers, [], discovery, as)
}

const broken = (hash: string): string => damage(Buffer.from(hash, 'base64'), 'flip-last')?.toString('base64') ?? ''

t.test('recomputes the hash of each recorded transaction, and reports a different one', async (t) => {
  for (const { scheme, protocolVersion, preparedTransaction, preparedTransactionHash } of vectors) {
    const only = (hash: string) => (requested: string) =>
      requested === scheme || requested.endsWith('V2')
        ? { preparedTransaction, preparedTransactionHash: hash }
        : undefined
    const right = await probe(only(preparedTransactionHash))
    const nth = scheme.endsWith('V2') ? 0 : 1
    t.equal(right.checks[nth]?.met, true)
    t.equal(right.protocolVersion, protocolVersion)
    t.match(
      right.synchronizerId,
      protocolVersion === 34 ? /^[\w-]+::1220[0-9a-f]{64}$/ : /^[\w-]+::1220[0-9a-f]{64}::35-0$/,
    )
    t.equal(right.hashesByThirdScheme, scheme.endsWith('V3'))
    const wrong = await probe(only(broken(preparedTransactionHash)))
    t.match(wrong.checks[nth], {
      met: false,
      found: new RegExp(`^"[^"]{44}", expected ${escaped(preparedTransactionHash)}$`),
    })
  }
})

const escaped = (text: string): string => text.replace(/[+/=]/g, '\\$&')

t.test('accepts refusals and malformed answers', async (t) => {
  t.strictSame(await probe(() => undefined), {
    protocolVersion: undefined,
    synchronizerId: undefined,
    hashesByThirdScheme: false,
    checks: [],
  })
  const nonsense = await probe(() => ({ preparedTransaction: 7 }))
  t.match(nonsense, {
    protocolVersion: undefined,
    checks: [{ met: false, found: 'null, expected a transaction that can be hashed' }, {}],
  })
  const garbage = await probe(() => ({ preparedTransaction: '/////w==', preparedTransactionHash: 'AAAA' }))
  t.match(garbage.checks, [{ met: false, found: '"AAAA", expected a transaction that can be hashed' }, {}])
})

t.test('reports a failed check of a supporting operation, which fails no row', async (t) => {
  const summary = async (met: boolean): Promise<string> => {
    const support = [{ what: 'the hash is right', met, ...(!met && { found: '\u001b[31mred' }) }]
    return consoleSummary(await sampleRecord([], { support, plan: [] }), { color: false })
  }
  t.match(await summary(false), /! supporting operation, no rule: expected "the hash is right", found .*red/)
  t.notOk((await summary(false)).includes('\u001b'), 'one line of plain text')
  t.notMatch(await summary(true), /the hash is right/)
})

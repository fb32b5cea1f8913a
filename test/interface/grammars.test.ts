/** String grammars and error categories of the interface. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { categoryOf, grpcCodes } from '../../interface/error-categories.js'
import { type Grammar, grammars, violation } from '../../interface/grammars.js'
import fc from '../support/records/properties.js'
import { openapiDocument } from './openapi-document.js'

interface RecordedAnswer {
  status: number
  scenario: string
  body: { errorCategory?: number; grpcCodeValue?: number | null; retryInfo?: string | null }
}

t.test('grammars and document have the same patterns', async (t) => {
  const schemaOf: Record<keyof typeof grammars, string> = {
    ledgerString: 'LedgerString',
    partyId: 'PartyIdString',
    userId: 'UserIdString',
    packageId: 'PackageId',
    packageName: 'PackageName',
    packageVersion: 'PackageVersion',
    name: 'Name',
    contractId: 'ContractId',
    updateId: 'UpdateId',
    fingerprint: 'Fingerprint',
    uniqueParty: 'ParticipantId',
    participantId: 'ParticipantId',
    synchronizerId: 'SynchronizerId',
  }
  for (const [name, grammar] of Object.entries<Grammar>(grammars)) {
    const schema = openapiDocument.components?.schemas?.[schemaOf[name as keyof typeof grammars]] // the keys are those of the same object
    const facets = (schema && 'allOf' in schema && schema.allOf) || []
    const facet = facets.find((entry) => 'pattern' in entry)
    const pattern = grammar.pattern.source.replaceAll('\\/', '/')
    t.match(facet, { pattern, maxLength: grammar.maxLength, 'x-source': 'facts' }, name)
    t.equal(facet && 'pattern' in facet && facet.pattern, pattern)
  }
})

t.test('violations have the words of the reference participant', async (t) => {
  const { ledgerString, partyId, userId, packageId, packageName, packageVersion, name, contractId } = grammars
  const { synchronizerId, fingerprint, updateId } = grammars
  const key = `1220${'ab'.repeat(32)}`
  const rows: [grammar: Grammar, text: string, message: string | undefined][] = [
    [ledgerString, 'a$b', 'non expected character 0x24 in Daml-LF Ledger String "a$b"'],
    [ledgerString, 'a\tb', 'non expected character 0x9 in Daml-LF Ledger String "a\tb"'],
    [ledgerString, 'a😀b', 'non expected character 0xd83d in Daml-LF Ledger String "a😀b"'],
    [ledgerString, '', 'Daml-LF Ledger String is empty'],
    [ledgerString, '$'.repeat(256), 'Daml-LF Ledger String is too long (max: 255)'],
    [ledgerString, ` .a/#:-_${'9'.repeat(247)}`, undefined],
    [ledgerString, 'a\n', 'non expected character 0xa in Daml-LF Ledger String "a\n"'],
    [partyId, 'a.b', 'non expected character 0x2e in Daml-LF Party "a.b"'],
    [partyId, 'alice::1220 x', undefined],
    [userId, 'a{b', 'User ID "a{b" does not match regex "[a-zA-Z0-9@^$.!`\\-#+\'~_|:\\(\\)]{1,128}"'],
    [userId, "a@b^$.!`-#+'~_|:()", undefined],
    [
      userId,
      'u'.repeat(129),
      `User ID "${'u'.repeat(129)}" does not match regex "[a-zA-Z0-9@^$.!\`\\-#+'~_|:\\(\\)]{1,128}"`,
    ],
    [packageId, '#x', 'non expected character 0x23 in Daml-LF Package ID "#x"'],
    [packageId, 'a'.repeat(65), 'Daml-LF Package ID is too long (max: 64)'],
    [packageName, 'a b', 'non expected character 0x20 in Daml-LF Package Name "a b"'],
    [
      packageVersion,
      '1.02',
      'Invalid package version string: `1.02`. Package versions are non-empty strings consisting of segments of digits (without leading zeros) separated by dots.',
    ],
    [packageVersion, '1.20.0', undefined],
    [name, '', 'Daml-LF Name is empty'],
    [name, '1a', 'non expected first character 0x31 in Daml-LF Name "1a"'],
    [name, 'a.b', 'non expected non first character 0x2e in Daml-LF Name "a.b"'],
    [name, 'a'.repeat(1001), 'Name is too long (max: 1000)'],
    [contractId, '00', 'cannot parse ContractId "00"'],
    [contractId, `00${'AB'.repeat(32)}`, `cannot parse ContractId "00${'AB'.repeat(32)}"`],
    [contractId, `00${'ab'.repeat(126)}`, undefined],
    [contractId, `00${'ab'.repeat(127)}`, `cannot parse ContractId "00${'ab'.repeat(127)}"`],
    [contractId, `01${'ab'.repeat(12)}`, undefined],
    [contractId, `01${'ab'.repeat(46)}`, `cannot parse ContractId "01${'ab'.repeat(46)}"`],
    [updateId, key, undefined],
    [updateId, '1221', 'cannot parse UpdateId "1221"'],
    [synchronizerId, 'bad', 'Invalid unique identifier `bad` with missing namespace.'],
    [synchronizerId, `::${key}`, `Invalid unique identifier \`::${key}\` with empty identifier.`],
    [synchronizerId, '', 'Empty string is not a valid unique identifier.'],
    [synchronizerId, `a::${key}`, undefined],
    [synchronizerId, `a.b::${key}`, 'non expected character 0x2e in Daml-LF Party "a.b"'],
    [
      synchronizerId,
      `a::${key}::35-0`,
      `Fingerprint decoding of \`a::${key}::35-0\` failed with: StringConversionError(String contains reserved delimiter \`::\`.,None)`,
    ],
    [fingerprint, '', 'Daml-LF Party is empty'],
    [fingerprint, 'a::b', 'String contains reserved delimiter `::`.'],
  ]
  for (const [grammar, text, message] of rows) t.equal(violation(grammar, text), message)
  t.match(
    violation(fingerprint, 'a'.repeat(69)),
    /^Invariant violation in field `Fingerprint`: .*maximum length of 68 .*length 69/,
  )
})

t.test('each grammar accepts strings of its pattern, and no longer ones', async (t) => {
  const part = (maxLength: number) => fc.stringMatching(new RegExp(`^[a-zA-Z0-9\\-_ ]{1,${maxLength}}$`))
  // fast-check cannot invert patterns with lookahead.
  const texts = ({ pattern }: Grammar): fc.Arbitrary<string> => {
    if (!pattern.source.includes('(?!')) return fc.stringMatching(pattern)
    return pattern.source.includes('::') ? fc.tuple(part(185), part(68)).map((parts) => parts.join('::')) : part(68)
  }
  for (const [name, grammar] of Object.entries<Grammar>(grammars)) {
    const fits = fc.property(texts(grammar), (text) => !violation(grammar, text) === text.length <= grammar.maxLength)
    t.strictSame(fc.check(fits, { numRuns: 50 }).counterexample, null, name)
  }
})

t.test('recorded refusals have the status, code and retry text of their category', async (t) => {
  const file = new URL('../../../test/recordings/responses.json', import.meta.url)
  const answers: RecordedAnswer[] = JSON.parse(readFileSync(file, 'utf8'))
  const refusals = answers.filter(({ body }) => (body.errorCategory ?? -1) > 0)
  t.ok(refusals.length > 30)
  for (const { status, scenario, body } of refusals) {
    const { httpStatus, grpcCode, retry = null } = categoryOf(body.errorCategory ?? -1)
    t.strictSame([httpStatus, grpcCode, retry], [status, body.grpcCodeValue, body.retryInfo], scenario)
  }
})

t.test('categories 1 to 14 exist, except 13, which is only logged', async (t) => {
  for (const number of [-1, 0, 13, 15])
    t.throws(
      () => categoryOf(number),
      new RangeError(`no error that can be answered has category ${number} (1 to 12, or 14)`),
    )
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14]
  t.strictSame(
    numbers.filter((number) => categoryOf(number).retry !== undefined),
    [1, 2, 3, 12],
  )
  t.equal(categoryOf(11).httpStatus, 404)
})

t.test('gRPC codes 1 to 16 have the statuses of the reference participant', async (t) => {
  const codes = Object.values(grpcCodes)
  t.strictSame(
    codes.map(({ number }) => number),
    Array.from({ length: 16 }, (_, index) => index + 1),
  )
  t.strictSame(
    codes.map(({ httpStatus }) => httpStatus),
    [499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401],
  )
  t.equal(grpcCodes.UNAUTHENTICATED.number, 16)
})

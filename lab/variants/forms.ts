/** Variants of HTTP framing, messages, order and ids. */
import { isJsonObject, printJson } from '../../lib/json/json.js'
import type { Interceptor, SentForm } from '../../simulator/participant/participant.js'
import { answerOf, changeMembers } from '../interceptors/bodies.js'
import { alterAnswers, replaceAnswers, replaceRejections, translateTexts } from '../interceptors/interceptors.js'
import { judged } from '../interceptors/names.js'
import { type Variant, variant } from './variant.js'

const sent = (form: SentForm): Interceptor =>
  replaceAnswers(judged, (answer) => ({ ...answer, form: { ...answer.form, ...form } }))

const sets = ['signatories', 'observers', 'witnessParties', 'implementedInterfaces', 'actingParties']

/** In all answers and Daml values. */
const timesAs = (spelled: (seconds: string, fraction: string) => string): Interceptor =>
  translateTexts(
    (text) =>
      text.replace(
        /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z"/g,
        (_, seconds: string, fraction = '') => `"${spelled(seconds, String(fraction))}"`,
      ),
    (text) => text,
  )

const noFormat = 'The timestamp string format, and the encoding of ledger values: not shown.'

export const variantsOfForms: readonly Variant[] = [
  variant(
    'bodies-in-pieces',
    'Responses are sent in several chunks, without Content-Length.',
    'JSON response body; no sentence about HTTP framing.',
    sent({ inPieces: true }),
  ),
  variant(
    'headers-in-capitals',
    'Header names are in upper case.',
    'JSON response body; header names are case-insensitive (RFC 9110, section 5.1).',
    sent({ headersInCapitals: true }),
  ),
  variant(
    'connections-closed',
    'Each answer closes its connection and announces this.',
    'No sentence about connections; HTTP permits it (RFC 9112, section 9.6).',
    sent({ closesConnection: true }),
    { reference: true },
  ),
  variant(
    'all-times-with-offset',
    'Timestamps and Daml times of all operations have an offset in place of Z.',
    noFormat,
    timesAs((seconds, fraction) => `${seconds}${fraction && `.${fraction}`}+00:00`),
  ),
  variant(
    'all-times-with-fraction',
    'Timestamps and Daml times of all operations have three decimals, or nine if three are not enough.',
    noFormat,
    timesAs((seconds, fraction) => `${seconds}.${fraction.padEnd(fraction.length > 3 ? 9 : 3, '0')}Z`),
  ),
  variant(
    'other-words',
    'Error responses have different messages and additional context.',
    'Shape of the error response body: not shown.',
    replaceRejections((returned) => {
      const answer = answerOf(returned)
      if (!answer || typeof answer['cause'] !== 'string') return returned
      const { context = null } = answer
      const more = { ...(isJsonObject(context) && context), rack: 'b7', advice: 'call us' }
      return { ...returned, text: printJson({ ...answer, cause: 'This cannot be done.', context: more }) }
    }),
  ),
  variant(
    'sets-in-another-order',
    'Parties and interfaces of an event are in reverse order.',
    'signatories, observers, witnessParties: string[]; no sentence about their order.',
    alterAnswers(judged, (answer) =>
      changeMembers(answer, sets, (list) => (Array.isArray(list) ? list.toReversed() : list)),
    ),
  ),
  variant(
    'update-ids-of-another-form',
    'updateId is not a hash.',
    'updateId: a valid LedgerString; its grammar: not shown.',
    translateTexts(
      (text) =>
        text.replace(
          /"updateId":"1220([0-9a-f]{64})"/g,
          (_, hex) => `"updateId":"tx:${Buffer.from(hex, 'hex').toString('base64url')}"`,
        ),
      (text) =>
        text.replace(/"tx:([\w-]{43})"/g, (_, base64) => `"1220${Buffer.from(base64, 'base64url').toString('hex')}"`),
    ),
  ),
  variant(
    'contract-ids-of-another-form',
    'contractId is not hexadecimal.',
    'contractId: a valid LedgerString; its grammar: not shown.',
    translateTexts(
      (text) => text.replace(/"00([0-9a-f]{100,})"/g, '"contract:$1"'),
      (text) => text.replace(/"contract:([0-9a-f]{100,})"/g, '"00$1"'),
    ),
  ),
]

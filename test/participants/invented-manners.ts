/** Participants with bad manners: statuses, forms, methods, paths and tokens. */
import { printJson } from '../../interface/json.js'
import { alteringAnswers, answerOf, bodyOf, json } from './alterations.js'
import type { Asked, Lie, OperationName, Stage, Told } from './stage.js'

const judged: readonly (OperationName | undefined)[] = [
  'contract-by-id',
  'submit-and-wait',
  'execute',
  'execute-and-wait-for-transaction',
  'update-package-vetting',
]

/** What a judged operation tells, changed. */
const telling =
  (change: (told: Told, asked: Asked) => Told): Lie['tell'] =>
  ({ ask }) =>
  async (asked) => {
    const told = await ask(asked)
    return judged.includes(asked.operation) ? change(told, asked) : told
  }

const isRefusal = ({ status }: Told): boolean => status >= 400 && status < 500

const snake = (text: string): string =>
  text.replace(
    /"([a-z]+[A-Z]\w*)":/g,
    (_, name: string) => `"${name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)}":`,
  )

const few =
  /^(?:CBI|SAW|VET|EWT)-(?:COMMAND-ID|CONTRACT-ID|ANSWER|RESULT|VISIBILITY|CONTENT|APPLY|SERIAL|METHOD|HEADERS)\//

const answers: readonly Lie[] = [
  {
    name: 'refusals-as-200',
    sentence: 'What is refused is answered with 200, and an error in the body.',
    rules: ['SAW-COMMAND-ID-LEDGER-STRING', 'CBI-CONTRACT-ID-GRAMMAR', 'VET-SERIAL-GUARD'],
    met: few,
    tell: telling((told) => (isRefusal(told) ? { ...told, status: 200 } : told)),
  },
  {
    name: 'refusals-as-500',
    sentence: 'What is refused is answered with 500.',
    rules: ['GEN-NO-SERVER-ERROR'],
    met: few,
    tell: telling((told) => (isRefusal(told) ? { ...told, status: 500 } : told)),
  },
  {
    name: 'refusals-by-redirect',
    sentence: 'What is refused is answered with a redirect.',
    rules: ['SAW-COMMAND-ID-LEDGER-STRING', 'CBI-STAKEHOLDER-INTERSECTION'],
    met: few,
    tell: telling((told) => (isRefusal(told) ? { ...told, status: 302 } : told)),
  },
  {
    name: 'answers-as-text',
    sentence: 'Answers are said to be plain text.',
    rules: ['GEN-JSON-BODY', 'GEN-PATHS'],
    met: few,
    tell: telling((told) => ({ ...told, contentType: 'text/plain' })),
  },
  {
    name: 'members-in-snake-case',
    sentence: 'Members of answers are written in snake_case.',
    rules: ['GEN-RESPONSE-SHAPE', 'GEN-FIELD-TYPES'],
    met: few,
    tell: telling((told) => (told.status === 200 ? { ...told, text: snake(told.text) } : told)),
  },
  {
    name: 'answers-in-a-list',
    sentence: 'Every answer is a list with the answer in it.',
    rules: ['GEN-RESPONSE-SHAPE'],
    met: few,
    tell: telling((told) => (told.status === 200 ? { ...told, text: `[${told.text}]` } : told)),
  },
  {
    name: 'answers-twice',
    sentence: 'Every answer is written twice, one behind the other.',
    rules: ['GEN-RESPONSE-SHAPE', 'GEN-JSON-BODY'],
    met: few,
    tell: telling((told) => (told.status === 200 ? { ...told, text: told.text + told.text } : told)),
  },
  {
    name: 'accepted-with-202',
    sentence: 'What is accepted is answered with 202 and an empty object.',
    rules: ['SAW-UPDATE-ID', 'GEN-RESPONSE-SHAPE', 'CBI-CREATED-EVENT'],
    met: few,
    tell: telling((told) => (told.status === 200 ? json(202, {}) : told)),
  },
  {
    name: 'nothing-found',
    sentence: 'No contract is ever found.',
    rules: ['CBI-STAKEHOLDER-INTERSECTION', 'CBI-PURPOSE'],
    met: few,
    tell: telling((told, { operation }) =>
      operation === 'contract-by-id' ? json(404, { code: 'CONTRACT_PAYLOAD_NOT_FOUND' }) : told,
    ),
  },
  {
    name: 'everything-found',
    sentence: 'Querying parties are ignored: every contract is shown to everybody.',
    rules: ['CBI-STAKEHOLDER-INTERSECTION'],
    tell:
      ({ ask }) =>
      (asked) => {
        const body = asked.operation === 'contract-by-id' ? bodyOf(asked) : undefined
        return ask(body ? { ...asked, body: Buffer.from(printJson({ ...body, queryingParties: [] })) } : asked)
      },
  },
  {
    name: 'null-for-empty-lists',
    sentence: 'Signatories and observers of looked up contracts are null.',
    rules: ['EVT-SIGNATORIES', 'EVT-OBSERVERS', 'GEN-RESPONSE-SHAPE'],
    tell: alteringAnswers(['contract-by-id'], (answer) =>
      JSON.parse(JSON.stringify(answer).replace(/"(signatories|observers)":\[[^\]]*\]/g, '"$1":null')),
    ),
  },
  {
    name: 'members-lost',
    sentence: 'Looked up contracts lack the name of their package.',
    rules: ['EVT-PACKAGE-NAME', 'GEN-RESPONSE-SHAPE'],
    tell: alteringAnswers(['contract-by-id'], (answer) =>
      JSON.parse(JSON.stringify(answer).replace(/"packageName":"[^"]*",?/, '')),
    ),
  },
]

const methods: readonly Lie[] = [
  {
    name: 'put-as-post',
    sentence: 'PUT, PATCH and DELETE are the operation as well.',
    rules: ['GEN-POST'],
    tell:
      ({ ask }) =>
      (asked) =>
        ask(/^(?:PUT|PATCH|DELETE)$/.test(asked.method) ? { ...asked, method: 'POST' } : asked),
  },
  {
    name: 'other-versions-served',
    sentence: 'The operations are there under /v1/ as well, and without a version.',
    rules: ['GEN-VERSION-IN-PATH'],
    tell:
      ({ ask }) =>
      (asked) =>
        ask({
          ...asked,
          path: asked.path.replace(/^\/(?:v1\/)?(?=contracts|commands|interactive|package-vetting)/, '/v2/'),
        }),
  },
  {
    name: 'paths-in-any-case',
    sentence: 'The letters of paths may be upper case.',
    rules: ['GEN-POST', 'GEN-PATHS'],
    met: /^(?:CBI|SAW)-METHOD\//,
    tell:
      ({ ask }) =>
      (asked) =>
        ask(/[A-Z]{3}/.test(asked.path) ? { ...asked, path: asked.path.toLowerCase() } : asked),
  },
]

/** Who calls is somebody else, by `choose`. */
const impersonating =
  (choose: (given: string | undefined, known: readonly string[]) => string | undefined): Lie['tell'] =>
  ({ ask }: Stage) => {
    const known: string[] = []
    return async (asked) => {
      const { authorization, ...headers } = asked.headers
      if (!judged.includes(asked.operation)) {
        const told = await ask(asked)
        if (authorization !== undefined && told.status < 400 && !known.includes(authorization))
          known.push(authorization)
        return told
      }
      const chosen = choose(authorization, known)
      return ask({ ...asked, headers: { ...headers, ...(chosen !== undefined && { authorization: chosen }) } })
    }
  }

const claimsOf = (authorization: string | undefined): Record<string, unknown> | undefined => {
  try {
    return JSON.parse(Buffer.from(authorization?.split('.')[1] ?? '', 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

const sameUser = (given: string | undefined, known: readonly string[]): string | undefined => {
  const user = claimsOf(given)?.['sub']
  return (user === undefined ? undefined : known.find((one) => claimsOf(one)?.['sub'] === user)) ?? given
}

const tokens: readonly Lie[] = [
  {
    name: 'no-token-needed',
    sentence: 'Without a token the caller is the first user that was seen.',
    rules: ['AUTH-HEADER-REQUIRED'],
    authorization: true,
    tell: impersonating((given, known) => given ?? known[0]),
  },
  {
    name: 'signatures-of-tokens-ignored',
    sentence: 'Who a token names is who calls, however it is signed and whenever it ended.',
    rules: ['AUTH-HEADER-REQUIRED'],
    authorization: true,
    tell: impersonating(sameUser),
  },
  {
    name: 'everybody-is-one',
    sentence: 'Whoever has a token may do what any other may.',
    rules: ['AUTH-ACT-AS', 'AUTH-READ-AS'],
    authorization: true,
    tell: impersonating((given, known) =>
      claimsOf(given) ? (known.find((one) => String(claimsOf(one)?.['sub']).endsWith('operator')) ?? given) : given,
    ),
  },
]

/** Every second one. */
const everySecond = (name: string, sentence: string, rules: readonly string[], change: (told: Told) => Told): Lie => ({
  name,
  sentence,
  rules,
  met: few,
  tell: (stage) => {
    let count = 0
    return telling((told) => {
      count += 1
      return count % 2 === 0 ? change(told) : told
    })(stage)
  },
})

const moods: readonly Lie[] = [
  everySecond(
    'every-second-refusal-503',
    'Every second answer that refuses is 503.',
    ['GEN-NO-SERVER-ERROR'],
    (told) => (isRefusal(told) ? { ...told, status: 500 } : told),
  ),
  everySecond(
    'every-second-answer-empty',
    'Every second answer that accepts has no members.',
    ['GEN-RESPONSE-SHAPE', 'SAW-UPDATE-ID'],
    (told) => (told.status === 200 && answerOf(told) ? { ...told, text: '{}' } : told),
  ),
]

export const inventedManners: readonly Lie[] = [...answers, ...methods, ...tokens, ...moods]

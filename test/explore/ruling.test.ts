/** Rulings about answers to requests that no row contains. */
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { compareAnswers } from '../../explore/compare/compare-answers.js'
import { Correspondence } from '../../explore/compare/correspondence.js'
import type { Exchange } from '../../explore/compare/run-sequence.js'
import { stepOf, variable } from '../../explore/generate/draft-step.js'
import { rulebookOf } from '../../explore/judge/ruling.js'
import type { Evidence } from '../../record/types/record.js'
import type { Data } from '../../record/types/resolved-row.js'
import { answerOf } from '../../runner/judge/answer.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { resolveSuite } from '../../runner/resolve/resolve-suite.js'

const suite = await loadSuite(fileURLToPath(new URL('../../../suites/', import.meta.url)))
const resolved = (name: string) => {
  const profile = suite.profiles.get(name)
  if (!profile) throw new Error(`the suite has no profile ${name}`)
  return resolveSuite(suite, profile, 35)
}
const [own, text] = [resolved('canton-3.5'), resolved('interface')]
const rulebook = rulebookOf({ resolve: () => ({ suite: own, text }), isText: false })
const textAlone = rulebookOf({ resolve: () => ({ suite: text, text }), isText: true })

type AnswerParts = [status: number, body: string, mediaType?: string]

function resultOf([status, body, mediaType = 'application/json']: AnswerParts) {
  const evidence: Evidence = {
    step: 0,
    role: 'act',
    startedAt: '',
    milliseconds: 0,
    request: { method: 'POST', url: '', headers: [] },
    response: { status, headers: [['content-type', mediaType]], body: { bytes: body.length, text: body } },
  }
  const answer = answerOf(evidence)
  return { evidence, ...(answer && { answer }) }
}

function exchange(operation: string, body: Data, answers: { reference: AnswerParts; target: AnswerParts }): Exchange {
  const [reference, target] = [resultOf(answers.reference), resultOf(answers.target)]
  const step = stepOf({ about: '', operation, body })
  const difference = compareAnswers(step, { reference, target }, new Correspondence())
  return { step, reference, target, ...(difference && { difference }) }
}

const command = {
  CreateCommand: {
    templateId: '#conformance-model:Conformance:Guarded',
    createArguments: { owner: variable('alice') },
  },
}
const submission = {
  commands: [command],
  commandId: variable('row'),
  actAs: [variable('alice')],
  userId: variable('user'),
}
const accepted: AnswerParts = [200, '{"updateId":"1220","completionOffset":7}']
const notFound: AnswerParts = [
  404,
  JSON.stringify({
    code: 'CONTRACT_PAYLOAD_NOT_FOUND',
    cause: 'not found',
    context: { tid: 'ab'.repeat(16), category: '11' },
    resources: [['ErrorResource(CONTRACT_ID)', '00']],
    errorCategory: 11,
    grpcCodeValue: 5,
    retryInfo: null,
    definiteAnswer: null,
  }),
]
const undecodable: AnswerParts = [400, 'Invalid value for: body', 'text/plain']

t.test('an answer breaks a rule if no situation of the other answer permits it', async (t) => {
  const answers = { reference: notFound, target: [200, '{}'] satisfies AnswerParts }
  t.match(rulebook.judge(exchange('contract-by-id', { contractId: variable('c1') }, answers), []), {
    kind: 'breaks-rule',
    rules: ['CBI-STAKEHOLDER-INTERSECTION'],
  })
  const open = exchange('submit-and-wait', submission, { reference: undecodable, target: accepted })
  t.match(rulebook.judge(open, []), { kind: 'undecided' })
  t.equal(textAlone.judge(open, []), 'permitted')
})

t.test('an answer without the described form breaks a rule, also by the text alone', async (t) => {
  const rules = ['GEN-RESPONSE-SHAPE']
  for (const one of [rulebook, textAlone]) {
    const list = exchange('submit-and-wait', submission, { reference: accepted, target: [200, '[]'] })
    t.match(one.judge(list, []), { kind: 'breaks-rule', rules })
    const twice = exchange('submit-and-wait', submission, { reference: accepted, target: [200, '{}{}'] })
    t.match(one.judge(twice, []), { kind: 'breaks-rule', rules: ['GEN-JSON-BODY'] })
  }
  const offset = exchange('submit-and-wait', submission, {
    reference: accepted,
    target: [200, '{"updateId":"1220","completionOffset":"7"}'],
  })
  const ruling = rulebook.judge(offset, [])
  t.ok(ruling !== 'permitted' && 'rules' in ruling && ruling.rules.length > 1, 'also the rule of the member')
})

/** Alterations of the recorded exchanges by the signer, with the finding of `verify`. */
import type { Evidence, LoggedExchange, RecordedBody, RunRecord } from '../../../record/types/record.js'
import { type Alteration, eachRow, header } from './re-signed.js'

type Change<Part> = (part: Part) => Part

const ofRows = (record: RunRecord, change: Change<Evidence>): RunRecord =>
  eachRow(record, (row) => ({ ...row, evidence: row.evidence.map(change) }))

const ofExchanges = (record: RunRecord, change: Change<LoggedExchange>): RunRecord => ({
  ...record,
  exchanges: (record.exchanges ?? []).map((one) => ({ ...one, ...change(one) })),
})

const ofReads = (record: RunRecord, change: Change<Evidence>): RunRecord => ({
  ...record,
  ...(record.oracles && {
    oracles: {
      ...record.oracles,
      reads: record.oracles.reads.map((one) => ({ ...one, evidence: change(one.evidence) })),
    },
  }),
})

/** Not the excerpt of the late-effects check. */
const sent =
  (change: Change<Evidence>): Change<Evidence> =>
  (one) =>
    one.role === 'late-check' ? one : change(one)

const late =
  (change: Change<Evidence>): Change<Evidence> =>
  (one) =>
    one.role === 'late-check' ? change(one) : one

const requestBody =
  (change: Change<RecordedBody>): Change<Evidence> =>
  (one) => {
    const { body } = one.request
    return body ? { ...one, request: { ...one.request, body: change(body) } } : one
  }

const answerBody =
  (change: Change<RecordedBody>): Change<Evidence> =>
  (one) =>
    one.response ? { ...one, response: { ...one.response, body: change(one.response.body) } } : one

const earlier = { message: 'approved', startedAt: '2001-01-01T00:00:00.000Z', milliseconds: 0 }
const generated: Change<Evidence> = (one) => ({ ...one, generated: ['"approved"'] })
const attempt: Change<Evidence> = (one) => ({ ...one, attempt: 7 })
const emptied = requestBody(({ bytes }) => ({ text: '', bytes, cut: true }))
const inBase64 = ({ text = '', bytes }: RecordedBody, more: string): RecordedBody => ({
  base64: Buffer.from(text).toString('base64') + more,
  bytes,
})

const withHeader = (one: Evidence, value: string): Evidence => ({
  ...one,
  request: { ...one.request, headers: [...one.request.headers, ['x-approved-by', value]] },
})

const other = /^rows\[[\w/-]+\]\.evidence\[\d+\]\.request\.body is recorded as ""/

export const evidenceAlterations: readonly Alteration[] = [
  {
    what: 'generated values of rows that generate none',
    change: (record) =>
      eachRow(record, (row) =>
        row.evidence.some((one) => one.generated) ? row : { ...row, evidence: row.evidence.map(sent(generated)) },
      ),
    named: /^rows\[[\w/-]+\]\.evidence\[\d+\]\.generated is recorded as \["\\"approved\\""\], but nothing follows/,
  },
  {
    what: 'generated values of a late-effects check',
    change: (record) => ofRows(record, late(generated)),
    named: /^rows\[[\w/-]+\]\.evidence\.generated is recorded as \["\\"approved\\""\], but nothing follows/,
  },
  {
    what: 'generated values of the other exchanges',
    change: (record) => ofExchanges(record, (one) => ({ ...one, evidence: generated(one.evidence) })),
    named: /^exchanges\[\d+\]\.generated is recorded as \["\\"approved\\""\], but nothing follows/,
  },
  {
    what: 'generated values of the last reads',
    change: (record) => ofReads(record, generated),
    named: /^oracles\.reads\[\d+\]\.generated is recorded as /,
  },
  {
    what: 'attempts of exchanges outside a race',
    change: (record) => ofExchanges(record, (one) => ({ ...one, evidence: attempt(one.evidence) })),
    named: /^exchanges\[\d+\]\.attempt is recorded as 7, but nothing follows/,
  },
  {
    what: 'attempts of the last reads',
    change: (record) => ofReads(record, attempt),
    named: /^oracles\.reads\[\d+\]\.attempt is recorded as 7, but nothing follows/,
  },
  {
    what: 'attempts of a late-effects check',
    change: (record) => ofRows(record, late(attempt)),
    named: /^rows\[[\w/-]+\]\.evidence\.attempt is recorded as 7, but nothing follows/,
  },
  {
    what: 'exchanges that state a redaction without its mark',
    change: (record) => ofExchanges(record, (one) => ({ ...one, redacted: true })),
    named: /^exchanges\[\d+\]\.redacted is recorded as true, but nothing follows/,
  },
  {
    what: 'request bodies of rows cut to nothing',
    change: (record) => ofRows(record, sent(emptied)),
    named: other,
  },
  {
    what: 'request bodies of rows cut to nothing, with another digest',
    change: (record) =>
      ofRows(record, sent(requestBody(({ bytes }) => ({ text: '', bytes, cut: true, sha256: '0'.repeat(64) })))),
    named: other,
  },
  {
    what: 'request bodies of the other exchanges cut to nothing',
    change: (record) => ofExchanges(record, (one) => ({ ...one, evidence: emptied(one.evidence) })),
    named: /^exchanges\[\d+\]\.request\.body is recorded as ""/,
  },
  {
    what: 'a request header that begins with a mark of redaction',
    change: (record) =>
      ofRows(
        record,
        sent((one) => withHeader(one, '[redacted: nothing] Federal Office')),
      ),
    named: /^rows\[[\w/-]+\]\.evidence\[\d+\]\.request\.headers\[\d+\] is recorded as \["x-approved-by"/,
  },
  {
    what: 'a header of the connection that no request has',
    change: (record) =>
      header(record, { target: { ...record.header.target, connection: { headers: ['x-approved-by'] } } }),
    named: /\.request\.headers\[\d+\] is recorded as nothing, but \["x-approved-by"/,
  },
  {
    what: 'an exchange that took longer than the run',
    change: (record) => ofRows(record, (one) => ({ ...one, milliseconds: 1e12 })),
    named: /^the run ended at \S+, but a row or exchange ended later: 1000000000000 ms after /,
  },
  {
    what: 'a row that took longer than the run',
    change: (record) => eachRow(record, (row) => ({ ...row, milliseconds: 1e7 })),
    named: /^the run ended at \S+, but a row or exchange ended later: 10000000 ms after /,
  },
  {
    what: 'a run that took longer than from its beginning to its end',
    change: (record) => ({ ...record, ...(record.footer && { footer: { ...record.footer, milliseconds: 1e7 } }) }),
    named: /^the run took 10000000 ms, but it began at /,
  },
  {
    what: 'an earlier attempt of an exchange, before the run',
    change: (record) =>
      ofRows(
        record,
        sent((one) => ({ ...one, earlier })),
      ),
    named: /^the run began at \S+, but a row or exchange began earlier, at 2001-/,
  },
  {
    what: 'answers with a body in both forms',
    change: (record) =>
      ofRows(
        record,
        answerBody((body) => ({ ...body, base64: 'QUJD' })),
      ),
    named:
      /^the record has a defect: Line \d+ is not a valid row: \/evidence\/\d+\/\S*body must match exactly one schema/,
  },
  {
    what: 'answers with text in the digest of a whole body',
    change: (record) =>
      ofRows(
        record,
        answerBody((body) => ({ ...body, sha256: '0'.repeat(64) })),
      ),
    named: /^the record has a defect: Line \d+ is not a valid row: \/evidence\/\d+\/\S*body must have property cut/,
  },
  {
    what: 'answers in Base64 with other characters',
    change: (record) =>
      ofRows(
        record,
        answerBody((body) => inBase64(body, '! approved')),
      ),
    named: /^a body of the record has another form of Base64/,
  },
]

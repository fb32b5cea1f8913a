/** One request with its response. */
import type { Evidence, Judgement, RecordedHeaders } from '../../../record/types/record.js'
import { curlCommand } from '../../wording/curl.js'
import { cut } from '../../wording/hostile-text.js'
import { roleWords } from '../../wording/step-words.js'
import { duration, instant } from '../../wording/words.js'
import { Command } from '../parts/command.js'
import { ScrollText } from '../parts/scroll-box.js'
import { BodyView } from './body-view.js'

export interface ExchangeProps {
  exchange: Evidence
  /** Name of the step, with the number of a concurrent request. */
  step: string
  isOpen: boolean
  /** The unmet judgements of the response. */
  unmet: Judgement[]
}

const longestHeader = 2000

export function Exchange({ exchange, step, isOpen, unmet }: ExchangeProps) {
  const { role, request, response, problem, earlier, milliseconds, startedAt } = exchange
  const isStatusWrong = unmet.some(({ subject }) => subject === 'status')
  const pointers = unmet.flatMap(({ subject, pointer }) =>
    subject === 'body' && pointer !== undefined ? [pointer] : [],
  )
  return (
    <details class="exchange fold" open={isOpen}>
      <summary>
        <span class={`tag ${role === 'act' ? 'strong' : ''}`}>{roleWords[role]}</span> <strong>{step}</strong>{' '}
        <span class="muted">
          {request.method} {pathOf(request.url)}
        </span>{' '}
        <span class={isStatusWrong ? 'status wrong' : 'status'}>
          {response ? `→ ${response.status}` : '→ no response'}
          {isStatusWrong && ' ✗'}
        </span>{' '}
        <span class="muted">{duration(milliseconds)}</span>
      </summary>
      {problem && (
        <p class="note">
          ! {problem.code}: {problem.message}
        </p>
      )}
      {earlier && (
        <p class="note">
          Sent twice. First attempt, {instant(earlier.startedAt)}: {earlier.message}. This is the second attempt.
        </p>
      )}
      <div class="two">
        <section aria-label={`Request of ${step}`}>
          <h4>Request</h4>
          <Message name="Request" first={`${request.method} ${request.url}`} headers={request.headers} />
          {request.body && <BodyView name="Request body" body={request.body} pointers={[]} />}
        </section>
        <section aria-label={`Response to ${step}`}>
          <h4>Response</h4>
          {response ? (
            <>
              <Message name="Response" first={`status ${response.status}`} headers={response.headers} />
              <BodyView name="Response body" body={response.body} pointers={pointers} />
            </>
          ) : (
            <p>No response.</p>
          )}
        </section>
      </div>
      <Command name="curl command of this request" command={curlCommand(exchange)} />
      <p class="muted">Sent {instant(startedAt)}</p>
    </details>
  )
}

function Message({ name, first, headers }: { name: string; first: string; headers: RecordedHeaders }) {
  return (
    <ScrollText name={`${name} line and headers`} className="headers">
      <strong>{cut(first, longestHeader)}</strong>
      {headers.map(([header, value], index) => (
        <span key={index}>
          {'\n'}
          <span class="name">{header}</span>: {cut(value, longestHeader)}
        </span>
      ))}
    </ScrollText>
  )
}

function pathOf(url: string): string {
  return cut(url.replace(/^https?:\/\/[^/]*/, ''), 200)
}

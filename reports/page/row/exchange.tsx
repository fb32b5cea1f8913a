import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Evidence, Judgement, RecordedBody, RecordedHeaders } from '../../../record/types/record.js'
import { curlCommand, type Sender } from '../../wording/curl.js'
import { cut } from '../../wording/hostile-text.js'
import { type JsonLine, jsonLines, linesAt } from '../../wording/json-lines.js'
import { roleWords } from '../../wording/terms.js'
import { duration, instant } from '../../wording/words.js'
import { Command } from '../parts/copy.js'
import { ScrollText } from '../parts/scroll-box.js'

interface ExchangeProps {
  exchange: Evidence
  /** Name of the step, with the number of a concurrent request. */
  step: string
  isOpen: boolean
  sender: Sender | undefined
  unmet: Judgement[]
}

const longestHeader = 2000

export function Exchange({ exchange, step, isOpen, sender, unmet }: ExchangeProps) {
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
        <article aria-label={`Request of ${step}`}>
          <h4>Request</h4>
          <Message name="Request" first={`${request.method} ${request.url}`} headers={request.headers} />
          {request.body && <BodyView name="Request body" body={request.body} pointers={[]} />}
        </article>
        <article aria-label={`Response to ${step}`}>
          <h4>Response</h4>
          {response ? (
            <>
              <Message name="Response" first={`status ${response.status}`} headers={response.headers} />
              <BodyView name="Response body" body={response.body} pointers={pointers} />
            </>
          ) : (
            <p>No response.</p>
          )}
        </article>
      </div>
      <Command name="curl command of this request" command={curlCommand(exchange, sender)} />
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

interface BodyViewProps {
  name: string
  body: RecordedBody
  /** JSON pointers of unmet expectations. */
  pointers: string[]
}

function BodyView({ name, body, pointers }: BodyViewProps) {
  const text = body.text ?? body.base64 ?? ''
  const lines = useMemo(() => (body.text === undefined ? undefined : jsonLines(body.text)), [body])
  if (body.bytes === 0) return <p class="muted">Empty body.</p>
  return (
    <>
      <p class="muted">{body.bytes} bytes</p>
      {body.text === undefined && <p class="note">Not UTF-8, so in base64.</p>}
      {body.cut && <p class="note">Cut to its first {text.length} characters.</p>}
      {lines ? <Lines name={name} lines={lines} pointers={pointers} /> : <ScrollText name={name}>{text}</ScrollText>}
    </>
  )
}

function Lines({ name, lines, pointers }: { name: string; lines: JsonLine[]; pointers: string[] }) {
  const box = useRef<HTMLPreElement>(null)
  const spots = pointers.map((pointer) => ({ pointer, ...linesAt(lines, pointer) }))
  // An unmet expectation of the whole body marks no line.
  const marked = new Set(spots.filter(({ pointer }) => pointer !== '').flatMap(({ marked }) => [...marked]))
  const missing = spots.filter(({ missing }) => missing).map(({ pointer }) => pointer)
  useEffect(() => {
    const mark = box.current?.querySelector<HTMLElement>('mark')
    if (box.current && mark) box.current.scrollTop = mark.offsetTop - box.current.clientHeight / 3
  }, [])
  return (
    <>
      {missing.length > 0 && <p class="note">No value at {missing.join(', ')}.</p>}
      <ScrollText box={box} name={name} className="json">
        {lines.map((line, index) => (
          <Line key={index} text={line.text} isMarked={marked.has(index) && missing.length === 0} />
        ))}
      </ScrollText>
    </>
  )
}

function Line({ text, isMarked }: { text: string; isMarked: boolean }) {
  const [, blanks = '', name, rest = text] = /^(\s*)("(?:[^"\\]|\\.)*")(: .*)$/s.exec(text) ?? []
  const content = name === undefined ? text : [blanks, <span class="name">{name}</span>, rest]
  if (!isMarked) return <span class="line">{content}</span>
  return (
    <mark class="line" title="differs from the expectation">
      {content}
    </mark>
  )
}

/** A request or response body. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RecordedBody } from '../../../record/types/record.js'
import { type JsonLine, jsonLines, linesAt } from '../../formats/json-lines.js'
import { ScrollText } from '../parts/scroll-box.js'

export interface BodyViewProps {
  name: string
  body: RecordedBody
  /** JSON pointers of unmet expectations. */
  pointers: string[]
}

/** Indented or raw text; the view states where it is cut. */
export function BodyView({ name, body, pointers }: BodyViewProps) {
  const text = useMemo(() => body.text ?? decoded(body.base64 ?? ''), [body])
  const lines = useMemo(() => (body.text === undefined ? undefined : jsonLines(body.text)), [body])
  const [isRaw, setRaw] = useState(false)
  if (body.bytes === 0) return <p class="muted">Empty body.</p>
  const raw = body.text ?? body.base64 ?? ''
  return (
    <>
      <div class="body-line">
        <span class="muted">{body.bytes} bytes</span>
        <span class="segments">
          <button type="button" aria-pressed={!isRaw} onClick={() => setRaw(false)}>
            {lines ? 'Pretty' : 'Text'}
          </button>
          <button type="button" aria-pressed={isRaw} onClick={() => setRaw(true)}>
            {body.text === undefined ? 'Base64' : 'Raw'}
          </button>
        </span>
      </div>
      {body.text === undefined && <p class="note">Not UTF-8: � replaces invalid bytes.</p>}
      {body.cut && (
        <p class="note">
          Cut: the first {raw.length} characters of {body.bytes} bytes.
        </p>
      )}
      {!isRaw && lines ? (
        <Lines name={name} lines={lines} pointers={pointers} />
      ) : (
        <ScrollText name={name}>{isRaw ? raw : text}</ScrollText>
      )}
    </>
  )
}

function Lines({ name, lines, pointers }: { name: string; lines: JsonLine[]; pointers: string[] }) {
  const box = useRef<HTMLPreElement>(null)
  const spots = pointers.map((pointer) => ({ pointer, ...linesAt(lines, pointer) }))
  // For an unmet expectation of the whole body no line is marked.
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

function decoded(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** The first printed page, with all facts for the signer. */
import type { ComponentChildren } from 'preact'
import { nonConforming } from '../../../record/types/verdict.js'
import type { PageRow } from '../../formats/page-data.js'
import { byCause } from '../../summary/evidence.js'
import { notJudged } from '../../summary/not-judged.js'
import { configurationLines } from '../../wording/configurations.js'
import { judgedBy, oftenInWords, textInWords } from '../../wording/judged-by.js'
import { isFailure } from '../../wording/rows.js'
import type { Signing } from '../../wording/signing.js'
import { verdictLine } from '../../wording/verdict-text.js'
import { count, instant } from '../../wording/words.js'
import type { LoadedRun } from '../state/loaded-run.js'

/** Limits of one page; the following pages contain the rest. */
const namedReasons = 6
const namedRows = 12

export function SignersPage({ run, signing }: { run: LoadedRun; signing: Signing }) {
  const { header, conclusion, rows } = run
  const { target, suite, tool } = header
  const protocol = target.protocolVersion === undefined ? '' : `, protocol version ${target.protocolVersion}`
  return (
    <section class="signers-page" aria-labelledby="signed">
      <h1 id="signed">Conformance: {conclusion.inWords}</h1>
      {conclusion.problems.map((problem) => (
        <p key={problem}>
          <strong>! {problem}</strong>
        </p>
      ))}
      <p>{conclusion.sentence}</p>
      <dl class="signed-facts">
        <Fact name="Target">
          {target.url}
          {target.embedded && ' (the embedded simulator)'}, version {target.version ?? 'unknown'}
          {protocol}, authorization {target.authorization}
          {target.connection?.insecure && '; TLS certificate not checked (insecure)'}
        </Fact>
        {configurationLines(header).map((line) => (
          <Fact key={line} name="Configuration">
            {line.replace(/^configuration /, '')}
          </Fact>
        ))}
        <Fact name="Profile">{judgedBy(header)}</Fact>
        <Fact name="Interface text">{textInWords(header) ?? 'not recorded'}</Fact>
        <Fact name="Scope">
          {header.selection?.operations ? `the operations ${header.selection.operations.join(', ')}` : 'all operations'}
          ; {header.planned} of {suite.rows ?? header.planned} rows of the suite, version {suite.version} (
          {suite.digest.slice(0, 12)}); permissions: {(header.allowed ?? []).join(', ') || 'not recorded'}
          {target.file && target.file.unreachable.length > 0 && `; unreachable: ${target.file.unreachable.join(', ')}`}
        </Fact>
        <Fact name="Rows">{verdictLine(conclusion.counts)}</Fact>
        <Fact name="Run">
          {header.run}, {instant(header.startedAt)}, seed {header.seed}
          {oftenInWords(header)}, by {tool.name} {tool.version}
        </Fact>
      </dl>
      <NotTested run={run} />
      <Divergences run={run} />
      <FailuresAndWaivers rows={rows} />
      <Signature signing={signing} />
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function NotTested({ run: { conclusion, rows } }: { run: LoadedRun }) {
  const rules = byCause(conclusion.rules.filter(({ state }) => state !== 'examined'))
  const reasons = notJudged(rows)
  const more = reasons.slice(namedReasons)
  return (
    <>
      <h2>Not tested</h2>
      {rules.length === 0 && <p>Every mandatory rule was tested.</p>}
      <ul class="plain">
        {rules.map(([why, ids]) => (
          <li key={why}>
            <strong>{ids.join(', ')}</strong>: {why}
          </li>
        ))}
        {reasons.slice(0, namedReasons).map(([reason, found]) => (
          <li key={reason}>
            {count(found.length, 'row')} not judged: {reason}
          </li>
        ))}
        {more.length > 0 && (
          <li>
            {count(
              more.reduce((sum, [, found]) => sum + found.length, 0),
              'more row',
            )}{' '}
            not judged, for {count(more.length, 'other reason')}
          </li>
        )}
      </ul>
    </>
  )
}

function Divergences({ run: { header, rows } }: { run: LoadedRun }) {
  const used = header.profile.divergences.flatMap(({ id }) => {
    const judged = rows.filter(({ divergences }) => divergences.includes(id)).length
    return judged > 0 ? [`${id} (${count(judged, 'row')})`] : []
  })
  return (
    <>
      <h2>Divergences of the profile from the interface text</h2>
      <p>{used.length === 0 ? 'No row was judged by a divergence.' : used.join(', ')}</p>
    </>
  )
}

function FailuresAndWaivers({ rows }: { rows: readonly PageRow[] }) {
  const failed = rows.filter(isFailure)
  const warned = rows.filter(({ verdict }) => verdict === 'warning')
  const excused = rows.filter(({ verdict }) => verdict === 'excused')
  return (
    <>
      <h2>Failures, warnings and waivers</h2>
      <p>
        {failed.length === 0
          ? 'No row failed.'
          : `${count(failed.length, 'row')} ${nonConforming.join(', ')}: ${named(failed)}.`}{' '}
        {warned.length > 0 && `${count(warned.length, 'warning')}: ${named(warned)}.`}{' '}
        {excused.length === 0 ? 'No waiver excused a row.' : `Excused by waivers: ${named(excused)}.`}
      </p>
    </>
  )
}

function named(rows: readonly PageRow[]): string {
  const more = rows.length - namedRows
  return [...rows.slice(0, namedRows).map(({ id }) => id), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function Signature({ signing: { name, issued, digest, code } }: { signing: Signing }) {
  return (
    <div class="signature">
      <dl>
        <Fact name="Name">{name ?? ''}</Fact>
        <Fact name="Date">{issued === undefined ? '' : instant(issued)}</Fact>
        <Fact name="Signature">{''}</Fact>
      </dl>
      <div>
        <svg viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label="Record digest as a QR code">
          <path d={code.path} />
        </svg>
        <p>
          Record digest (SHA-256): <code>{digest || 'none: the record has no footer'}</code>
        </p>
      </div>
    </div>
  )
}

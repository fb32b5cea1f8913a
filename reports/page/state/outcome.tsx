import type { Verdict } from '../../../record/types/verdict.js'
import type { Conclusion } from '../../summary/conclusion.js'

const signs: Record<Conclusion['outcome'], string> = {
  conforming: '✓',
  'selection passed': '✓',
  'not conforming': '✗',
  incomplete: '!',
}

const colors: Record<Conclusion['outcome'], Verdict> = {
  conforming: 'pass',
  'selection passed': 'not-applicable',
  'not conforming': 'fail',
  incomplete: 'fail',
}

export function OutcomeSign({ conclusion: { outcome, inWords } }: { conclusion: Conclusion }) {
  return (
    <span class={`outcome-sign ${colors[outcome]}`}>
      <span aria-hidden="true">{signs[outcome]}</span> {inWords}
    </span>
  )
}

export function Outcome({ conclusion, profile }: { conclusion: Conclusion; profile: string }) {
  const { outcome, inWords, sentence, problems } = conclusion
  return (
    <>
      {problems.length > 0 && (
        <div class="banner" role="alert">
          <strong>! Problems of this run</strong>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      <section class={`card outcome ${colors[outcome]}`} aria-labelledby="outcome">
        <span class="sign" aria-hidden="true">
          {signs[outcome]}
        </span>
        <div>
          <h2 id="outcome">
            {inWords} <span class="muted">(profile {profile})</span>
          </h2>
          <p>{sentence}</p>
        </div>
      </section>
    </>
  )
}

import type { Conclusion } from '../conclusion.js'

const signs: Record<Conclusion['outcome'], string> = { conforming: '✓', 'not conforming': '✗', incomplete: '!' }

export function OutcomeSign({ outcome }: Pick<Conclusion, 'outcome'>) {
  return (
    <span class={`outcome-sign ${outcome === 'conforming' ? 'pass' : 'fail'}`}>
      <span aria-hidden="true">{signs[outcome]}</span> {outcome}
    </span>
  )
}

/** The conclusion in words and, above it, whatever stands against taking the record as whole. */
export function Outcome({ conclusion, profile }: { conclusion: Conclusion; profile: string }) {
  const { outcome, sentence, problems } = conclusion
  return (
    <>
      {problems.length > 0 && (
        <div class="banner" role="alert">
          <strong>! This record must not be taken as whole</strong>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
      <section class={`card outcome ${outcome === 'conforming' ? 'pass' : 'fail'}`} aria-labelledby="outcome">
        <span class="sign" aria-hidden="true">
          {signs[outcome]}
        </span>
        <div>
          <h2 id="outcome">
            {outcome} <span class="muted">by profile {profile}</span>
          </h2>
          <p>{sentence}</p>
        </div>
      </section>
    </>
  )
}

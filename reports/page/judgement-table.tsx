import type { Judgement } from '../../record/record.js'
import { lookedAt } from '../rows.js'
import { ScrollWide } from './scroll-box.js'

export function JudgementTable({ judgements }: { judgements: Judgement[] }) {
  return (
    <ScrollWide name="Judgements">
      <table>
        <thead>
          <tr>
            {['Met', 'Looked at', 'Expected', 'Actual', 'By'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {judgements.map((judgement, index) => (
            <JudgementLine key={index} judgement={judgement} />
          ))}
        </tbody>
      </table>
    </ScrollWide>
  )
}

function JudgementLine({ judgement }: { judgement: Judgement }) {
  const { step, expected, actual, met, rules, strength, condition, divergence } = judgement
  const origin = [condition && `condition ${condition}`, divergence && `divergence ${divergence}`].filter(Boolean)
  return (
    <tr class={met ? 'met' : 'unmet'}>
      <td class="short">{met ? '✓ yes' : '✗ no'}</td>
      <td>
        <code>{lookedAt(judgement)}</code>
        <br />
        <span class="muted">{step}</span>
      </td>
      <td class="value">
        <code>{expected}</code>
      </td>
      <td class="value">
        <code>{actual}</code>
      </td>
      <td>
        {rules.join(', ')} <span class="tag">{strength}</span> <span class="muted">{origin.join(', ')}</span>
      </td>
    </tr>
  )
}

import type { RecordedVariables } from '../../../record/types/record.js'
import type { PageRow } from '../../formats/page-data.js'
import { cut } from '../../wording/hostile-text.js'

export interface VariablesProps {
  own: RecordedVariables | undefined
  shared: RecordedVariables | undefined
  row: PageRow
}

const longest = 300

/** The names that the suite has for parties, contracts and what steps captured, with their values in this run. */
export function Variables({ own = {}, shared = {}, row }: VariablesProps) {
  const all = [...Object.entries(own), ...Object.entries(shared)]
  if (all.length === 0) return null
  return (
    <details class="fold">
      <summary>{all.length} names that requests and expectations are made of</summary>
      <dl class="variables" aria-label={`Variables of ${row.id}`}>
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <code>{cut(value, longest)}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

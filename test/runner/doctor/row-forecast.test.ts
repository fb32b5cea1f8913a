/** What the forecast names as the remedy for rows that cannot run. */
import t from 'tap'
import type { Reason } from '../../../record/types/reason.js'
import { forecastRows } from '../../../runner/doctor/row-forecast.js'
import type { Capabilities } from '../../../runner/target/target.js'
import { resolvedRow } from '../../support/records/judged-row.js'

t.test('a remedy belongs to the reason', (t) => {
  const missing: Reason = { code: 'operation-missing', operation: 'generate-external-topology', status: 404 }
  const unready: Reason = { code: 'packages-unready', packages: [] }
  const opens = (reason: Reason, need?: string, capability?: Capabilities[string]) => {
    const row = { ...resolvedRow([]), needs: need === undefined ? [] : [need] }
    const capabilities = need === undefined || capability === undefined ? {} : { [need]: capability }
    return forecastRows([{ row, reason }], capabilities).groups[0]?.opens
  }
  const lacking = (name: string, because: Reason): Reason => ({ code: 'lacks-capability', name, because })
  t.equal(
    opens(lacking('external-parties', missing), 'external-parties', missing),
    'presigned transactions in a target file',
  )
  t.equal(opens(lacking('conformance-model', unready), 'conformance-model', unready), 'conform clean')
  t.equal(opens(lacking('conformance-model', missing), 'conformance-model', missing), undefined)
  t.equal(
    opens({ code: 'value-unknown', name: 'tapsLimit', setting: 'claims: taps-limit' }),
    'the setting that the reason names',
  )
  t.equal(opens({ code: 'value-unknown', name: 'tapsLimit' }), undefined)
  t.end()
})

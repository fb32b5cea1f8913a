/** The first screen of Failures names a fault of the participant, on a desktop and on a phone. */
import type { Page } from 'playwright'
import t from 'tap'
import { findOverrides } from '../../../lab/find-overrides.js'
import { recordedRun } from '../../support/records/recorded-run.js'
import { openReport } from './report-page.js'

interface SeededFault {
  mutant: string
  only: string[]
  authorization?: string
  /** Names the fault. */
  fact: RegExp
}

const faults: readonly SeededFault[] = [
  {
    mutant: 'submission-command-id-of-any-type',
    only: ['SAW-TYPES', 'SAW-COMMAND-ID', 'SAW-LONG-STRINGS'],
    fact: /commandId is a string\..*commandId: true/s,
  },
  {
    mutant: 'serials-ignored',
    only: ['VET-SERIAL', 'VET-SERIAL-FIELD', 'VET-SERIAL-WITH-MORE', 'VET-INTEGER-FORM'],
    fact: /Execution fails if expectedTopologySerial is not correct\./,
  },
  {
    mutant: 'server-errors-contract-by-id',
    only: ['CBI-UNKNOWN', 'CBI-NO-CONTRACT-ID', 'CBI-PARTY-FORM'],
    fact: /server error 500.*POST \/v2\/contracts\/contract-by-id/s,
  },
  {
    mutant: 'commands-one-by-one',
    only: ['SAW-ALL-OR-NOTHING', 'SAW-SURVIVES', 'SAW-CONTROLLER', 'SAW-KEY-GONE-IN-PASSING'],
    fact: /The elements of commands form one atomic command\..*rejected with 40\d, but committed: update/s,
  },
  {
    mutant: 'executed-witness-parties-with-a-stranger',
    only: ['EWT-EFFECTS', 'EWT-SHOWN', 'EWT-ANSWER', 'EWT-ARCHIVED-EVENT', 'EWT-ANY-PARTY'],
    fact: /CreatedEvent\/witnessParties: wrong array.*for example .* found .*"stranger::/s,
  },
  {
    mutant: 'readers-may-act',
    only: ['SAW-RIGHTS', 'EWT-RIGHTS', 'EXE-RIGHTS', 'SAW-READ-RIGHT'],
    authorization: 'hs256:secret-of-the-simulator',
    fact: /the token must authorize the sender to act on behalf of every party in actAs.*expected 4xx, found 200/s,
  },
]

const firstScreen = (page: Page): Promise<string> =>
  page.evaluate(`[...document.querySelectorAll('.view-failures :is(h3, p, li)')]
    .filter((part) => part.getBoundingClientRect().bottom <= innerHeight)
    .map((part) => part.innerText).join('\\n')`)

for (const { mutant, only, authorization, fact } of faults) {
  t.test(mutant, async (t) => {
    const overrides = findOverrides({ mutant })
    const record = await recordedRun({ overrides, ...(authorization && { authorization }) }, { only })
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const { page, picture } = await openReport(record, { hash: '#/failures', viewport })
      t.match(await firstScreen(page), fact, `${viewport.width} pixels`)
      await picture(`fault-${mutant}-${viewport.width}`, false)
    }
  })
}

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that
/** Rows for optional fixtures and for callers without rights. */
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSubmissionSuite } from './submission-suite.js'

const additions: Readonly<Record<string, string>> = {
  'fixtures.yaml': `  bob: { party: { hint: bob } }
  pia: { party: { hint: pia, keys: [p256] } }
  by-key:
    steps:
      - { request: exercise-by-key, outcome: left-open, capture: { by-key.updateId: /updateId } }
  shown:
    steps:
      - { request: read, edit: { /updateId: '\${by-key.updateId}' }, outcome: accepted, capture: { shown.offset: /update/Transaction/value/offset } }
`,
  'actors.yaml': `  bob: { rights: [CanActAs bob] }
  loner: { rights: [CanActAs alice], apart: true }
  administrator: { rights: [ParticipantAdmin] }
`,
  'situations.yaml': '  left-open: The text does not define it.\n',
  'profiles/interface.yaml': `basis: text
situations:
  left-open: { accepted: true, refused: true, source: section Submissions }
`,
  'requests.yaml': `  exercise-by-key:
    operation: submit-and-wait
    as: alice
    body:
      commands:
        - ExerciseByKeyCommand: { templateId: '#a:B:C', contractKey: {}, choice: D, choiceArgument: {} }
      commandId: '\${row}'
      actAs: ['\${alice}']
      userId: '\${user}'
`,
  'cases/contract-by-id/look-up.yaml': `  - id: LOOK-DECLINED
    title: Nothing is found of what declined fixtures would name
    rules: [LOOK-UNKNOWN]
    request: look-up
    outcome: unknown-contract
    edit: { /contractId: '00${'ab'.repeat(32)}' }
    rows:
      - { id: by-key, edit: { /queryingParties: ['\${by-key.updateId}'] } }
      - { id: shown, edit: { /queryingParties: ['\${shown.offset}'] } }
      - { id: party, edit: { /queryingParties: ['\${pia}'] } }
`,
  'cases/submit-and-wait/submit.yaml': `  - id: SUB-CALLERS
    title: Submissions without commands are refused for each caller
    rules: [SUB-COMMANDS]
    request: submit
    outcome: no-commands
    rows:
      - { id: bob, as: bob, edit: { /actAs: ['\${bob}'] } }
      - { id: loner, as: loner }
`,
}

export async function writeDecliningSuite(folder: string): Promise<string> {
  await writeSubmissionSuite(folder)
  for (const [name, text] of Object.entries(additions)) {
    const path = join(folder, name)
    await writeFile(path, `${(await readFile(path, 'utf8')).trimEnd()}\n`)
    await appendFile(path, text)
  }
  return folder
}

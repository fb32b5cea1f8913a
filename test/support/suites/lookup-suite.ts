/** One successful lookup, 24 rejected ones, and six of unknown contracts. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Rejected with 400. */
export const refusedRows = 24
const unknownRows = 6
export const lookupRows = 1 + refusedRows + unknownRows

const tableOf = (count: number, value: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `      - { id: r${index}, edit: { /contractId: ${value(index)} } }`).join(
    '\n',
  )

const files: Readonly<Record<string, string>> = {
  'suite.yaml': 'version: 1.2.3\n',
  'outline.yaml': `text: { title: The text, version: '7', digest: ${'ab'.repeat(32)} }
outline:
  - { section: Lookups, passages: [paragraph 1, paragraph 2, paragraph 3, paragraph 4, paragraph 5] }
`,
  'rules/general.yaml': `rules:
  - { id: LOOK-FOUND, statement: A contract is found by its id., strength: must, section: Lookups, passages: [paragraph 5] }
  - { id: LOOK-REFUSED, statement: What is no contract id is refused., strength: must, section: Lookups, passages: [paragraph 1] }
  - { id: LOOK-UNKNOWN, statement: Nothing is found of what is unknown., strength: must, section: Lookups, passages: [paragraph 2] }
  - id: LOOK-INSIDE
    statement: Nobody can see it.
    strength: must
    section: Lookups
    passages: [paragraph 3]
    operations: [contract-by-id]
    untestable: It happens inside.
  - { id: LOOK-CLIENT, statement: Clients are kind., strength: client, section: Lookups, passages: [paragraph 4] }
`,
  'situations.yaml': `situations:
  no-contract-id: It can be no contract id.
  unknown-contract: There is no such contract.
`,
  'profiles/interface.yaml': `profile: interface
title: The text
confidence: text
accepted: { status: 2xx }
refused: { status: 4xx }
`,
  'profiles/canton-3.5.yaml': `profile: canton-3.5
title: As it was seen
extends: interface
confidence: observed
source: a participant
basis: facts
accepted: { status: 200 }
refused: { status: 4xx }
`,
  'requests.yaml': `requests:
  look-up:
    operation: contract-by-id
    as: reader
    body: { contractId: '', queryingParties: [] }
  create:
    operation: submit-and-wait
    as: reader
    body:
      commands:
        - CreateCommand:
            templateId: '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'
            createArguments: { id: '\${row}', initiator: '\${alice}', responder: '\${alice}' }
      commandId: '\${row}'
      actAs: ['\${alice}']
      userId: '\${user}'
  read:
    operation: update-by-id
    as: reader
    body:
      updateId: ''
      updateFormat:
        includeTransactions:
          eventFormat: { filtersByParty: { '\${alice}': {} }, verbose: false }
          transactionShape: TRANSACTION_SHAPE_ACS_DELTA
`,
  'actors.yaml': `actors:
  reader: { rights: [CanActAs alice] }
`,
  'fixtures.yaml': `fixtures:
  alice: { party: { hint: alice } }
  known:
    steps:
      - { request: create, outcome: accepted, capture: { known.updateId: /updateId } }
      - { request: read, edit: { /updateId: '\${known.updateId}' }, outcome: accepted, capture: { known.contractId: /update/Transaction/value/events/0/CreatedEvent/contractId } }
`,
  'cases/contract-by-id/look-up.yaml': `operation: contract-by-id
cases:
  - id: LOOK-KNOWN
    title: A contract is found by its id
    rules: [LOOK-FOUND]
    request: look-up
    outcome: accepted
    rows:
      - { id: only, edit: { /contractId: '\${known.contractId}', /queryingParties: ['\${alice}'] } }
  - id: LOOK-WORDS
    title: A word is no contract id
    rules: [LOOK-REFUSED]
    request: look-up
    outcome: no-contract-id
    rows:
${tableOf(refusedRows, (index) => `word${index}!`)}
  - id: LOOK-NOTHING
    title: Nothing is found of what is unknown
    rules: [LOOK-UNKNOWN]
    request: look-up
    outcome: unknown-contract
    rows:
${tableOf(unknownRows, (index) => `'00${`${index}${index}`.repeat(32)}'`)}
`,
}

export async function writeLookupSuite(folder: string): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

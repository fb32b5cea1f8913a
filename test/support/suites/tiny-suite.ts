/** A valid suite with every kind of file; tests change one place. */
export const tinySuite: Readonly<Record<string, string>> = {
  'suite.yaml': 'version: 1.2.3\n',
  'outline.yaml': `text: { title: The text, version: '7', digest: ${'ab'.repeat(32)} }
outline:
  - { section: Endpoints, passages: [paragraph 1] }
  - section: Errors
    passages: [item 1, item 2, item 3]
    without-rule: { item 3: states nothing }
`,
  'rules/general.yaml': `rules:
  - { id: GEN-POST, statement: Everything is a POST., strength: must, section: Endpoints, passages: [paragraph 1] }
  - id: GEN-NO-EFFECT
    statement: A refusal has no effect.
    strength: should
    section: Errors
    passages: [item 1, Endpoints > paragraph 1]
  - { id: GEN-CLIENT, statement: Clients are kind., strength: client, section: Errors, passages: [item 2] }
  - id: GEN-INSIDE
    statement: The state is internal.
    strength: must
    section: Errors
    passages: [item 2]
    operations: [execute]
    untestable: It is internal.
unspecified:
  - id: OPEN-BODY
    question: What is in it?
    section: Errors
    passages: [item 2]
    filled-by: interface
    answer: Nothing.
`,
  'situations.yaml': `situations:
  empty-act-as: actAs is empty.
  unknown-contract: The contract is unknown.
`,
  'profiles/interface.yaml': `profile: interface
title: The text
confidence: text
accepted: { status: 2xx }
refused: { status: 4xx }
situations:
  empty-act-as: { refused: { code: OLD }, source: the text }
divergences:
  - id: LATE
    rule: GEN-POST
    statement: It is late.
    confidence: observed
    source: an observer
    expect: { /a: absent, /b: { equals: '\${alice}' } }
`,
  'profiles/seen.yaml': `profile: seen
title: As observed
extends: interface
confidence: observed
source: a participant
basis: facts
accepted: { status: [200, 204], media-type: application/json }
codes:
  MISSING_FIELD: { status: 400, category: 8, grpc: 3 }
situations:
  empty-act-as:
    refused:
      - { name: one, code: MISSING_FIELD, context: { field: act_as, other: null }, resources: [PARTY] }
      - { name: two, status: 403 }
  unknown-contract: { accepted: true, divergence: LATE }
`,
  'requests/reading.yaml': `requests:
  look-up:
    operation: contract-by-id
    as: operator
    body: { contractId: '\${ping.id}', '\${alice}': { __proto__: 1, 'null': null, 404: true } }
  party: { operation: connected-synchronizers, query: { party: '\${alice}' } }
`,
  'requests/writing.yaml': `requests:
  create: { operation: submit-and-wait, body: { commandId: 'command \${row}' } }
  execute: { operation: execute, body: { prepared: '\${prepared}' } }
`,
  'sequences.yaml': `sequences:
  looked-up:
    meaning: Reads a party.
    steps:
      - { request: party, outcome: accepted, capture: { prepared: /transaction } }
`,
  'actors.yaml': `actors:
  operator: { rights: [ParticipantAdmin, CanActAs alice] }
  guest: { rights: [] }
tokens:
  none: { meaning: no header, none: true }
  expired: { meaning: too late, header: Bearer x, claims: { exp: { in-seconds: -60 } }, secret: another, algorithm: HS384 }
`,
  'fixtures.yaml': `fixtures:
  alice: { party: { hint: alice } }
  ping:
    steps:
      - { request: create, outcome: accepted, capture: { update: /updateId, ping.id: /id } }
      - { request: look-up, edit: { /updateId: '\${update}' }, outcome: accepted }
`,
  'probes.yaml': `probes:
  no-transaction:
    statement: Nothing happened.
    rules: [GEN-NO-EFFECT]
    before:
      - { request: look-up, capture: { begin: /offset } }
    after:
      - { request: look-up, edit: { /begin: '\${begin}' }, expect: { body: { '': { mentions-none: ['\${row}'] } } } }
`,
  'cases/contract-by-id/look-up.yaml': `operation: contract-by-id
cases:
  - id: CBI-ONE
    title: A single request
    request: look-up
    rules: [GEN-POST]
    afterwards: no-transaction
    outcome: accepted
  - id: CBI-ROWS
    title: A table
    rules: [GEN-POST]
    impact: write
    needs: [authorization]
    serial: true
    request: look-up
    as: operator
    token: none
    edit: { /a: 1, /b: { /c: 2 }, /d: 3 }
    remove: [/x, /y]
    send: { method: GET, path: /v2, headers: { Accept: text/plain, X-Other: null }, text: hello }
    outcome: unknown-contract
    expect:
      headers:
        { Content-Type: { pattern: 'text/.+' } }
      body: { /code: present, /message: absent, /list: { each: not-empty, rules: [GEN-POST] } }
    rows:
      - { id: as-it-is }
      - id: different
        title: A different row
        rules: [GEN-NO-EFFECT]
        impact: hazard
        needs: [authorization, contract-keys]
        as: guest
        token: expired
        edit: { /a: one, /x: back }
        remove: [/d]
        send: { headers: { accept: null }, base64: aGk= }
        outcome: accepted
        expect:
          body:
            { /code: 'null', /message: null, /more: { type: integer, greater-than: 0 } }
`,
  'cases/execute/steps.yaml': `operation: execute
cases:
  - id: EXE-STEPS
    title: Several steps
    rules: [GEN-POST]
    steps:
      - { sequence: looked-up, with: { party: { name: prepare } } }
      - { request: execute, outcome: empty-act-as }
      - { request: execute, capture: { end: /offset }, expect: { body: { /other: { equals: '\${end}' } } } }
    rows:
      - { id: refused, outcome: empty-act-as }
      - { id: accepted, outcome: accepted, edit: { /prepared: '\${prepared}' } }
`,
}

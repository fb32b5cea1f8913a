/** A small, right suite in which every kind of file occurs; tests break it in one place at a time. */
export const tinySuite: Readonly<Record<string, string>> = {
  'suite.yaml': 'version: 1.2.3\n',
  'outline.yaml': `outline:
  - { section: Endpoints, places: [paragraph 1] }
  - section: Errors
    places: [item 1, item 2, item 3]
    without-rule: { item 3: says nothing }
`,
  'rules/general.yaml': `rules:
  - { id: GEN-POST, statement: Everything is a POST., strength: must, section: Endpoints, places: [paragraph 1] }
  - id: GEN-NO-EFFECT
    statement: A refusal has no effect.
    strength: should
    section: Errors
    places: [item 1, Endpoints > paragraph 1]
  - { id: GEN-CLIENT, statement: Clients are kind., strength: client, section: Errors, places: [item 2] }
  - { id: GEN-INSIDE, statement: Nobody can see it., strength: must, section: Errors, places: [item 2], operations: [execute], untestable: It happens inside. }
open-points:
  - { id: OPEN-BODY, question: What is in it?, section: Errors, places: [item 2], filled-by: interface, answer: Nothing. }
`,
  'conditions.yaml': `conditions:
  empty-act-as: actAs is empty.
  unknown-contract: There is no such contract.
`,
  'profiles/interface.yaml': `profile: interface
title: The text
accepted: { status: 2xx }
refused: { status: 4xx }
conditions:
  empty-act-as: { status: 4xx, code: OLD, source: the text }
divergences:
  - { id: LATE, rule: GEN-POST, statement: It is late., source: observed, expect: { /a: absent, /b: { equals: '\${alice}' } } }
`,
  'profiles/seen.yaml': `profile: seen
title: As it was seen
extends: interface
basis: facts
accepted: { status: [200, 204], media-type: application/json }
conditions:
  empty-act-as:
    any-of:
      - { name: one, status: 400, code: MISSING_FIELD, category: 8, grpc: 3, context: { field: act_as, other: null }, resources: [PARTY] }
      - { name: two, status: 403 }
    source: observed
  unknown-contract: { accepted: true, divergence: LATE, source: observed }
`,
  'requests/reading.yaml': `requests:
  look-up:
    operation: contract-by-id
    as: operator
    body: { contractId: '\${ping.id}', '\${alice}': { __proto__: 1, 'null': null, 404: true } }
  party: { operation: get-party, params: { party: '\${alice}' }, query: { limit: '1' } }
`,
  'requests/writing.yaml': `requests:
  create: { operation: submit-and-wait, body: { commandId: 'command \${row}' } }
  execute: { operation: execute, body: { prepared: '\${prepared}' } }
`,
  'actors.yaml': `actors:
  operator: { rights: [ParticipantAdmin, CanActAs alice] }
  nobody: { rights: [] }
tokens:
  none: { meaning: no header, none: true }
  expired: { meaning: too late, header: Bearer x, claims: { exp: { in-seconds: -60 } }, secret: another, algorithm: HS384 }
`,
  'fixtures.yaml': `fixtures:
  alice: { party: { hint: alice } }
  ping:
    steps:
      - { request: create, accepted: true, capture: { update: /updateId, ping.id: /id } }
      - { request: look-up, edit: { /updateId: '\${update}' }, accepted: true }
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
    accepted: true
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
    refused: unknown-contract
    expect:
      status: [400, 404]
      headers: { Content-Type: { pattern: 'text/.+' } }
      body: { /code: present, /message: absent, /list: { each: not-empty } }
    rows:
      - { id: as-it-is }
      - id: different
        title: A different row
        rules: [GEN-NO-EFFECT]
        impact: hazard
        needs: [authorization, contract-keys]
        as: nobody
        token: expired
        edit: { /a: one, /x: back }
        remove: [/d]
        send: { headers: { accept: null }, base64: aGk= }
        accepted: true
        expect:
          status: [200, 204]
          body: { /code: 'null', /message: null, /more: { type: integer, greater-than: 0 } }
          schema: false
`,
  'cases/execute/steps.yaml': `operation: execute
cases:
  - id: EXE-STEPS
    title: Several steps
    rules: [GEN-POST]
    steps:
      - { name: prepare, request: party, accepted: true, capture: { prepared: /transaction } }
      - { request: execute, refused: empty-act-as }
      - { request: execute, capture: { end: /offset }, expect: { body: { /other: { equals: '\${end}' } } } }
    rows:
      - { id: refused, refused: empty-act-as }
      - { id: accepted, accepted: true, edit: { /prepared: '\${prepared}' } }
`,
}

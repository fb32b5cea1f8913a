/** Answers that a participant never returns, with the message of a run that receives them. */
export const uselessAnswers: readonly [path: string, answer: object, message: RegExp][] = [
  [
    '/v2/version',
    { status: 404, text: '<html>\u001b[2J' },
    /^the target is not a participant: GET http:.*\/v2\/version returned 404 and a web page; POST .* returned 404 without the member code\. Use the base URL/,
  ],
  [
    '/v2/version',
    { status: 404, text: 'what? \u001b[2J' },
    /^GET http:.*\/v2\/version returned 404: "what\? \\u001b\[2J"; POST .* returned 404 without the member code\. Use the base URL of the JSON API with its path, and without \/v2\/version\. A participant without/,
  ],
  ['/v2/version', { text: '<html>' }, /^the target is not a participant: .* returned 200 and a web page\. /],
  ['/v2/version', { status: 204 }, /^the target is not a participant: .* returned 204 without JSON\. /],
  ['/v2/version', { status: 500, text: 'oh' }, /^GET .* returned 500: "oh"\. Read the log of the participant\.$/],
  [
    '/v2/parties/participant-id',
    { json: { participantId: 7 } },
    /^GET \/v2\/parties\/participant-id returned "\{\\"participantId\\":7\}", without the string participantId\. If the operation/,
  ],
  [
    '/v2/parties/participant-id',
    { json: [] },
    /^GET \/v2\/parties\/participant-id returned "\[\]", without the string/,
  ],
  [
    '/v2/state/connected-synchronizers',
    { json: { connectedSynchronizers: {} } },
    /^GET .* returned ".*", without the array connectedSynchronizers\. To state the synchronizer instead, add --synchronizer ID/,
  ],
  [
    '/v2/state/connected-synchronizers',
    { json: { connectedSynchronizers: [{}, 7] } },
    /^GET .*, without the string synchronizerId in an item of connectedSynchronizers\. To state/,
  ],
  ['/v2/parties', { status: 403, json: {} }, /^allocate-party .* returned 403: "{}"$/],
  ['/v2/parties', { json: { partyDetails: { party: null } } }, /^allocate-party returned no party id for alice$/],
]

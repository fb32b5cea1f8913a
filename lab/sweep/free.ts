/** Values that neither the text nor a fact defines, with the sentence that leaves them open. */

interface Place {
  operation: string
  kind: string
  path: string
  change: string
}

/** Patterns of a place; an absent one fits each. */
interface Free extends Partial<Record<keyof Place, RegExp>> {
  because: string
}

const noErrorBody = 'Shape of the error response body: not shown.'
const noKinds = 'JsTransaction: other event kinds: not shown.'
const typeAlone = 'The text gives the type of the member and no rule for its value'

const rejection = /^[45]/

const free: readonly Free[] = [
  {
    kind: rejection,
    path: /^\/(?:cause|errors)/,
    because: `${noErrorBody} The wording of a message is no fact.`,
  },
  {
    kind: rejection,
    path: /^\/(?:correlationId|traceId|definiteAnswer|context\/tid)$/,
    because: `${noErrorBody} The value belongs to one request, and its presence to the layer that rejects.`,
  },
  {
    kind: rejection,
    path: /^\/context/,
    because: `${noErrorBody} Entries of context depend on the layer that rejects; a profile names those of a code.`,
  },
  {
    kind: /^(?:\d+ text|\d+ sentence|404 \w+)$/,
    path: /^(?:\(body\)|\(media type\)|\/(?:code|context|errorCategory|grpcCodeValue|ledgerApiError|resources|retryInfo|status))/,
    because: `${noErrorBody} A rejection without an error code has no other fact than its status.`,
  },
  { kind: rejection, path: /^\(media type\)$/, because: 'The text gives a media type for request bodies only.' },
  {
    operation: /^contract-by-id$/,
    path: /\/(?:acsDelta|interfaceViews|nodeId)$/,
    change: /^(?:absent|null)$/,
    because: 'CreatedEvent rule 3: not populated; the text does not define the form.',
  },
  { path: /\/createdEventBlob$/, because: `${typeAlone}: createdEventBlob. Disclosures show whether it is usable.` },
  { path: /\/contractKeyHash$/, because: `${typeAlone}: contractKeyHash.` },
  { path: /\/implementationPackageId$/, because: `${typeAlone}: implementationPackageId.` },
  { path: /\/traceparent$/, change: /^another text$/, because: `${typeAlone}: traceparent belongs to one request.` },
  { path: /\/paidTrafficCost$/, because: `${typeAlone}: paidTrafficCost.` },
  {
    path: /\/(?:witnessParties|interfaceViews|packages)$/,
    change: /^other order$/,
    because: `${typeAlone}: no sentence about the order.`,
  },
  { path: /\/implementedInterfaces\/\*$/, because: `${typeAlone}: implementedInterfaces of an ArchivedEvent.` },
  { path: /\/ArchivedEvent\/nodeId$/, because: `${typeAlone}: the numbering of nodes.` },
  { path: /\/viewStatus\/(?:message|details)/, because: `${typeAlone}: message and details of a failed view.` },
  { path: /\/ExercisedEvent/, because: `${noKinds} A profile compares the events of each choice once.` },
]

export const reasonOf = (place: Place): string | undefined =>
  free.find((one) =>
    (['operation', 'kind', 'path', 'change'] as const).every((member) => one[member]?.test(place[member]) ?? true),
  )?.because

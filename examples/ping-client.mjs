/**
 * A small client of a participant, as an example of what is tested: it sends a Ping, and once more where it was asked to.
 * @param {string} url of the participant
 */
export function pingClient(url) {
  const post = (/** @type {string} */ path, /** @type {unknown} */ body) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return {
    /** @param {string} hint */
    async allocateParty(hint) {
      const answer = await post('/v2/parties', { partyIdHint: hint, identityProviderId: '' })
      const { partyDetails } = /** @type {{ partyDetails: { party: string } }} */ (await answer.json())
      return partyDetails.party
    },
    /**
     * @param {string} party
     * @param {string} id
     */
    async ping(party, id) {
      const templateId = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'
      const createArguments = { id, initiator: party, responder: party }
      const commands = [{ CreateCommand: { templateId, createArguments } }]
      const send = () =>
        post('/v2/commands/submit-and-wait', { commands, commandId: id, actAs: [party], userId: 'pinger' })
      const answer = await send()
      return answer.status === 503 ? send() : answer
    },
  }
}

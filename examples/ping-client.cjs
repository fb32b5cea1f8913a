/**
 * A small client of a participant, for the example tests. It sends a Ping, and sends it again after `retry-after` seconds if the participant
 * is busy.
 * @param {string} url of the participant
 */
function pingClient(url) {
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
      if (answer.status !== 503) return answer
      const seconds = Number(answer.headers.get('retry-after'))
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
      return send()
    },
  }
}

module.exports = { pingClient }

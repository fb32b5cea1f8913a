/** Uploading packages. The simulator runs described packages only, so an archive is recognised by the package ids it names. */
import { demandAdmin } from '../../auth/authorize.js'
import { invalidArgument, invalidDar } from '../../errors.js'
import { ok } from '../answer.js'
import { endpoint } from '../endpoint.js'

const zipMagic = Buffer.from('PK')

export const uploadDar = endpoint({
  method: 'post',
  path: '/v2/dars',
  handle: ({ participant, caller, query, rawBody }) => {
    demandAdmin(caller)
    if (!rawBody.subarray(0, 2).equals(zipMagic)) {
      const context = { entries: 'List()', throwable: 'the archive has no manifest' }
      throw invalidDar('service', 'Dar file is corrupt', { context, definite: 'unsaid' })
    }
    const named = rawBody.toString('latin1').matchAll(/-([0-9a-f]{64})\.dalf/g)
    const ids = [...new Set([...named].map((match) => match[1] ?? ''))]
    const taken = participant.ledger.packages.upload(ids, query.get('vetAllPackages') !== 'false')
    if (taken > 0) return ok({})
    throw invalidArgument(
      'service',
      'this simulator only runs packages that are built into it; none of them was found in the uploaded archive',
    )
  },
})

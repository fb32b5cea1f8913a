/**
 * What an operation is measured beside: a bare Express route for each path, which takes any body and answers one of the same size as the
 * operation does. It looks at nothing and looks nothing up. `ANSWERS`: JSON of the answers by path.
 */
import type { AddressInfo } from 'node:net'
import express from 'express'

const application = express()
application.disable('x-powered-by')
application.disable('etag')
for (const [path, text] of Object.entries<string>(JSON.parse(process.env['ANSWERS'] ?? '{}'))) {
  application.post(path, (request, response) => {
    request.resume()
    request.once('end', () => response.type('json').send(text))
  })
}
const server = application.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // a server that listens on TCP has one
  console.log(`http://127.0.0.1:${port}`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})

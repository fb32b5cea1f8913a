/** Baseline: an Express route for each path of `ANSWERS` (JSON), which reads any body. */
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
  const { port } = server.address() as AddressInfo // the server listens on TCP
  console.log(`http://127.0.0.1:${port}`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})

/** Baseline: returns each body. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // the server listens on TCP
  console.log(`http://127.0.0.1:${port}`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})

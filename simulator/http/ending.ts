import type { Server, ServerResponse } from 'node:http'

/** Waits up to `patience` milliseconds for open requests. Idle connections close at once. */
export function endable(server: Server): (patience: number) => Promise<void> {
  const unanswered = new Set<ServerResponse>()
  let isEnding = false
  const closeIdle = (): void => {
    if (unanswered.size === 0) server.closeAllConnections()
    else server.closeIdleConnections()
  }
  server.on('request', (_, response) => {
    unanswered.add(response)
    response.once('close', () => {
      unanswered.delete(response)
      if (isEnding) closeIdle()
    })
  })
  let ended: Promise<void> | undefined
  const end = (patience: number): Promise<void> =>
    new Promise((resolve, reject) => {
      isEnding = true
      // Otherwise the client reuses a connection that is about to close.
      for (const response of unanswered) response.shouldKeepAlive = false
      const timer = setTimeout(() => server.closeAllConnections(), patience)
      server.close((error) => {
        clearTimeout(timer)
        if (error) reject(error)
        else resolve()
      })
      closeIdle()
    })
  return (patience) => {
    ended ??= end(patience)
    // Also during an earlier end.
    if (patience === 0) server.closeAllConnections()
    return ended
  }
}

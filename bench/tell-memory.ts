/** Loaded before a server, which then tells on standard error, when it is sent SIGUSR2, how many bytes it keeps: on its heap, and outside. */
process.on('SIGUSR2', () => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  console.error(`kept: ${heapUsed + external}`)
})

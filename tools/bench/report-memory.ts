/** After SIGUSR2, prints the used memory in bytes on standard error, after garbage collection. */
process.on('SIGUSR2', () => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  console.error(`used memory: ${heapUsed + external}`)
})

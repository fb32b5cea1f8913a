const form = /^\/(?:dev\/(?:fd\/(?<dev>\d{1,6})|(?<stream>std(?:in|out|err)))|proc\/self\/fd\/(?<proc>\d{1,6}))$/

/** The user opened it, so pipes, sockets and terminals are permitted. */
export function descriptorOf(path: string): number | undefined {
  const { dev, stream, proc } = form.exec(path)?.groups ?? {}
  if (stream !== undefined) return ['stdin', 'stdout', 'stderr'].indexOf(stream)
  const number = dev ?? proc
  return number === undefined ? undefined : Number(number)
}

export function kindOf(found: {
  isFile(): boolean
  isDirectory(): boolean
  isFIFO(): boolean
  isSocket(): boolean
  isCharacterDevice(): boolean
}): string {
  if (found.isFile()) return 'a file'
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a named pipe'
  if (found.isSocket()) return 'a socket'
  return found.isCharacterDevice() ? 'a device' : 'a block device'
}

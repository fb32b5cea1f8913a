import { Session } from 'node:inspector/promises'

const dist = new URL('../../', import.meta.url).href
const session = new Session()
session.connect()
await session.post('Profiler.enable')

/** The files of this program whose functions run. V8 counts calls of functions; the top level of a file does not count. */
export async function executedFiles(action: () => Promise<unknown>): Promise<string[]> {
  // The first time also loads modules, which runs functions of their top level.
  await action()
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await action()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  return result
    .filter(({ functions }) => functions.some((one) => one.functionName !== '' && (one.ranges[0]?.count ?? 0) > 0))
    .flatMap(({ url }) => (url.startsWith(dist) ? url.slice(dist.length) : []))
    .filter((file) => !file.startsWith('lab/'))
}

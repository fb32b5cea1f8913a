/** The participant under test: where it is, and how the runner becomes somebody there. */
export interface Target {
  url: string
  authorization: { kind: 'none' } | { kind: 'hs256'; secret: string }
}

/** The run cannot begin: the target does not answer, or does not let us set up what cases need. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}

/** A target setting that cannot be understood. */
export class TargetSettingError extends Error {
  override readonly name = 'TargetSettingError'
}

/** Reads a base URL and `none` or `hs256:SECRET`. Throws `TargetSettingError`; no secret ever appears in its message. */
export function readTarget(url: string, authorization: string): Target {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const shown = url.replace(/[^/]*@/, '…@')
    throw new TargetSettingError(`target: ${shown} is no http or https URL, such as http://127.0.0.1:7575`)
  }
  const { username, password, search, hash } = new URL(url)
  if (username !== '' || password !== '') {
    throw new TargetSettingError('target: a URL with a user or a password is not supported; use authorization')
  }
  if (search !== '' || hash !== '') {
    throw new TargetSettingError(`target: ${url} must end with its path; the operations are below it`)
  }
  const plain = url.replace(/\/+$/, '')
  if (authorization === 'none') return { url: plain, authorization: { kind: 'none' } }
  const secret = /^hs256:(.+)$/s.exec(authorization)?.[1]
  if (secret === undefined) throw new TargetSettingError('authorization: expected none or hs256:SECRET')
  return { url: plain, authorization: { kind: 'hs256', secret } }
}

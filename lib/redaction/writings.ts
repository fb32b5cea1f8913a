/** What a known secret is looked for as. Escapes are no forms of their own: `readings` undoes them. */

/** Of fewer bytes, what base64 and hex make could be anything. */
const shortestEncoded = 5

export function writingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const text = bytes.toString('utf8')
  const quoted = JSON.stringify(text).slice(1, -1)
  const inShell = text.replaceAll("'", "'\\''")
  const plain = [secret, text, inShell, quoted, JSON.stringify(quoted).slice(1, -1), bytes.toString('latin1')]
  const inUrl = [encodeURIComponent(text), new URLSearchParams({ a: text }).toString().slice(2)]
  const encoded =
    bytes.length < shortestEncoded
      ? []
      : [...new Set([text, quoted, inUrl[0] ?? text])].flatMap((one) => encodedForms(Buffer.from(one, 'utf8')))
  return [...new Set([...plain, ...inUrl, ...encoded])]
}

function encodedForms(bytes: Buffer): string[] {
  const hex = bytes.toString('hex')
  const base64 = [0, 1, 2].flatMap((before) => {
    const text = base64Behind(bytes, before)
    return [text, text.replaceAll('+', '-').replaceAll('/', '_'), text.replaceAll('+', ' ')]
  })
  return [hex, hex.replace(/..(?=.)/g, '$&:')].flatMap((text) => [text, text.toUpperCase()]).concat(base64)
}

/** The base64 of the bytes behind so many others: only the signs in which neither those nor bytes that follow have a part. */
function base64Behind(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
}

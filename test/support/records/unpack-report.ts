import { inflateRawSync } from 'node:zlib'

export function unpackReport(html: string): { page: string; data: string[] } {
  const packed = [...html.matchAll(/<script type="text\/plain"[^>]*>([^<]*)<\/script>/g)]
  const data = packed.map(([, base64 = '']) => inflateRawSync(Buffer.from(base64, 'base64')).toString('utf8'))
  return { page: html.replace(/<script type="text\/plain"[^>]*>[^<]*<\/script>/g, ''), data }
}

/** A line per client, a bar per call. Calls outside the longest order are red. */
import type { NonLinearizableHistory } from './trial.js'

const [width, left, line, bar] = [1000, 90, 46, 30]

export function historySvg({ calls, longest, sentence }: NonLinearizableHistory): string {
  const begin = Math.min(...calls.map(({ sent }) => sent))
  const end = Math.max(...calls.map(({ sent, answered = sent }) => answered), begin + 1)
  const x = (time: number): number =>
    Math.round((left + ((time - begin) / (end - begin)) * (width - left - 20)) * 10) / 10
  const clients = [...new Set(calls.map(({ client }) => client))].sort((a, b) => a - b)
  const height = 60 + clients.length * line
  const reader = clients.at(-1)
  const bars = calls.map(({ client, about, said, sent, answered }, index) => {
    const place = longest.indexOf(index)
    const [from, to] = [x(sent), answered === undefined ? width : x(answered)]
    const top = 44 + clients.indexOf(client) * line
    const label = `${place < 0 ? 'impossible' : place + 1}: ${about}: ${said}`
    return [
      `<g class="${place < 0 ? 'impossible' : 'possible'}"><title>${escaped(label)}</title>`,
      `<rect x="${from}" y="${top}" width="${Math.max(to - from, 3)}" height="${bar}" rx="3"/>`,
      `<text x="${from + 4}" y="${top + 13}">${place < 0 ? '✗' : place + 1} ${escaped(about)}</text>`,
      `<text x="${from + 4}" y="${top + 26}">${escaped(said)}</text></g>`,
    ].join('')
  })
  const names = clients.map(
    (client, index) =>
      `<text x="4" y="${64 + index * line}">${client === reader ? 'reader' : `client ${client + 1}`}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(sentence)}">`,
    '<style>text{font:11px sans-serif;fill:#222}.possible rect{fill:#cfe3f7;stroke:#3b78b5}.impossible rect{fill:#f9d0cc;stroke:#b3261e;stroke-width:2}</style>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="4" y="20">${escaped(sentence)} No sequential order explains all answers. Numbered answers fit together; answers marked ✗ do not.</text>`,
    `<text x="${left}" y="38">0 ms</text><text x="${width - 60}" y="38">${Math.round(end - begin)} ms</text>`,
    ...names,
    ...bars,
    '</svg>',
  ].join('\n')
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[^\P{C}]/gu, ' ')

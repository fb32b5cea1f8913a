/** Reads what `node --cpu-prof` writes. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
  children?: number[]
}

export interface Profile {
  nodes: ProfileNode[]
  samples: number[]
  /** Microseconds. */
  timeDeltas: number[]
}

export interface Frame {
  name: string
  url: string
  /** From 0. */
  line: number
}

/** The stacks of a profile, each once, with the innermost function first. */
export function innermostFirst({ nodes, samples, timeDeltas }: Profile): { stack: Frame[]; milliseconds: number }[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const times = new Map<number, number>()
  for (const [index, id] of samples.entries()) times.set(id, (times.get(id) ?? 0) + (timeDeltas[index] ?? 0) / 1000)
  return [...times].map(([id, milliseconds]) => {
    const stack: Frame[] = []
    for (let node = byId.get(id); node; node = byId.get(callers.get(node.id) ?? -1)) {
      const { functionName, url, lineNumber } = node.callFrame
      stack.push({ name: functionName, url, line: lineNumber })
    }
    return { stack, milliseconds }
  })
}

/** A file of the bundle names the source of each part in a comment. */
const comment = /^ *\/\/ ((?:dist|node_modules)\/\S+)$/

export class BundledSources {
  readonly #byLine = new Map<string, string[]>()

  /** A path from the project, such as `dist/runner/judge/answer.js`; else the URL, such as `node:net`. */
  sourceOf({ url, line }: Frame): string {
    if (!/\/dist\/(?:program|cli)\//.test(url)) return url.replace(/^file:.*\/(dist|node_modules)\//, '$1/')
    return this.#sourcesIn(url)[line] ?? url
  }

  #sourcesIn(url: string): string[] {
    const known = this.#byLine.get(url)
    if (known) return known
    let source = url.replace(/^file:.*\/dist\//, 'dist/')
    const all = readFileSync(fileURLToPath(url), 'utf8')
      .split('\n')
      .map((text) => {
        source = comment.exec(text)?.[1] ?? source
        return source
      })
    this.#byLine.set(url, all)
    return all
  }
}

import type { RunHeader } from '../record/record.js'

const isAbsolute = (path: string): boolean => /^(?:[/\\~]|[A-Za-z]:[\\/])/.test(path)

/** The last part of an absolute path; others stay, as they tell nothing of the machine. */
const shortened = (path: string): string =>
  isAbsolute(path) ? (path.split(/[/\\]/).findLast((part) => part !== '') ?? path) : path

/** The header as a report may show it that goes to others: where files lay on the machine of the run is nobody's business, and no help elsewhere. */
export function withoutPaths(header: RunHeader): RunHeader {
  const { target, options } = header
  const { suite, out, ...rest } = options ?? {}
  return {
    ...header,
    target: { ...target, ...(target.file && { file: { ...target.file, name: shortened(target.file.name) } }) },
    ...(options && {
      options: {
        ...rest,
        ...(suite !== undefined && { suite: shortened(suite) }),
        ...(out !== undefined && !isAbsolute(out) && { out }),
      },
    }),
  }
}

import { XMLParser } from 'fast-xml-parser'
import { type FinalResults, Parser } from 'tap-parser'

/** Strict. */
export function readTap(text: string): Promise<FinalResults> {
  return new Promise((resolve) => {
    const parser = new Parser({ strict: true, passes: true }, resolve)
    parser.end(text)
  })
}

interface JunitCase {
  name: string
  classname: string
  file: string
  line: string
  time: string
  failure?: { message: string; '#text': string }
  error?: { message: string }
  skipped?: { message: string }
  'system-out'?: string
}

interface Junit {
  testsuites: { tests: string; failures: string; errors: string; skipped: string; testsuite: JunitSuite[] }
}

interface JunitSuite {
  name: string
  tests: string
  properties: { property: { name: string; value: string }[] }
  testcase: JunitCase[]
}

export function readJunit(text: string): Junit['testsuites'] {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    isArray: (name) => name === 'testsuite' || name === 'testcase',
  })
  const { testsuites }: Junit = parser.parse(text)
  return testsuites
}

/** What a run leaves that came to no record: reports that turn a build red, in place of those of yesterday. */

import { cut, visibleLine } from '../wording/hostile-text.js'
import { badgeOf } from './badge.js'
import { html } from './html-escape.js'
import { inText } from './markdown-text.js'

const longestReason = 2000

/** `tool`: its name and version; `reason`: why there is no record, as a sentence. The texts by the names of their files. */
export function failedRunReports(tool: string, reason: string, at: Date): [file: string, text: string][] {
  const told = cut(visibleLine(reason), longestReason)
  return [
    ['junit.xml', junitOf(tool, told, at)],
    ['summary.md', `## ✗ Conformance: no result\n\n**${inText(told)}**\n\nNothing was judged.\n`],
    ['badge.svg', badgeOf('conformance', 'no result', 'incomplete')],
  ]
}

const junitOf = (tool: string, told: string, at: Date): string =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${tool}" tests="1" failures="0" errors="1" skipped="0" time="0.000" timestamp="${at.toISOString()}">
<testsuite name="run" tests="1" failures="0" errors="1" skipped="0" time="0.000">
<testcase name="the run came to its end" classname="run" time="0.000"><error message="${told}" type="no-result"/></testcase>
</testsuite>
</testsuites>
`.text

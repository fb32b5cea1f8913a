/** Reports of a run without a record replace earlier reports and fail a build. */

import { html } from '../markup/html-template.js'
import { cut, visibleLine } from '../wording/hostile-text.js'
import { badgeOf } from './badge.js'
import { inText } from './markdown-text.js'

const longestReason = 2000

export function failedRunReports(tool: string, reason: string, at: Date): [file: string, text: string][] {
  const shown = cut(visibleLine(reason), longestReason)
  return [
    ['junit.xml', junitOf(tool, shown, at)],
    ['summary.md', `## ✗ Conformance: no result\n\n**${inText(shown)}**\n\nThe run judged no row.\n`],
    ['badge.svg', badgeOf('conformance', 'no result', 'incomplete')],
  ]
}

const junitOf = (tool: string, reason: string, at: Date): string =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${tool}" tests="1" failures="0" errors="1" skipped="0" time="0.000" timestamp="${at.toISOString()}">
<testsuite name="run" tests="1" failures="0" errors="1" skipped="0" time="0.000">
<testcase name="the run completes" classname="run" time="0.000"><error message="${reason}" type="no-result"/></testcase>
</testsuite>
</testsuites>
`.text

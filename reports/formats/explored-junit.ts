import type { ExplorationRecord, RecordedFinding, RecordedHistory } from '../../record/types/exploration.js'
import { attribute, xmlText } from './junit.js'

export function exploredJunit(explored: ExplorationRecord): string {
  const { tool, findings, histories, seconds, startedAt, target, model, seed, profile, requests } = explored
  const failed = findings.length + histories.length
  const whole = failed === 0 ? 1 : 0
  const counts = `${attribute('tests', String(failed + whole))}${attribute('failures', String(failed))} errors="0" skipped="0"${attribute('time', seconds.toFixed(3))}`
  const properties = { target, model, profile: profile.name, seed, requests: String(requests) }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attribute('name', `${tool.name} ${tool.version}`)}${counts}${attribute('timestamp', startedAt)}>`,
    `  <testsuite name="explore"${counts}${attribute('timestamp', startedAt)}>`,
    '    <properties>',
    ...Object.entries(properties).map(
      ([name, value]) => `      <property${attribute('name', name)}${attribute('value', value)}/>`,
    ),
    '    </properties>',
    ...(whole > 0 ? ['    <testcase name="the target behaves as the reference simulator" classname="explore"/>'] : []),
    ...findings.map((finding) => `    ${findingCase(finding)}`),
    ...histories.map((history) => `    ${historyCase(history)}`),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function findingCase({
  id,
  ruling,
  operation,
  pointer,
  answers,
  requests,
  times,
  curl,
  seenAfter,
}: RecordedFinding): string {
  const place = pointer === '' ? '' : ` at ${pointer}`
  const message = `${ruling.because}${place}: reference ${answers.model.said}, target ${answers.target.said}`
  const rules = ruling.rules && ruling.rules.length > 0 ? [`rules: ${ruling.rules.join(', ')}`] : []
  const lines = [
    ...rules,
    `observed ${times} times`,
    ...requests.map((about, index) => `${index + 1}. ${about}`),
    '',
    curl,
  ]
  return `<testcase${attribute('name', `${id}: ${requests.at(-1) ?? operation}`)}${attribute('classname', `explore.${operation}`)}${attribute('time', seenAfter.toFixed(3))}><failure${attribute('message', message)}${attribute('type', ruling.kind)}>${xmlText(lines.join('\n'))}</failure></testcase>`
}

function historyCase({ id, sentence, rules, calls, longest, times, of, seenAfter }: RecordedHistory): string {
  const message = `${sentence} No order of the calls explains the responses in ${times} of ${of} trials.`
  const lines = [
    `rules: ${rules.join(', ')}`,
    ...calls.map(
      ({ client, about, said }, index) =>
        `${longest.includes(index) ? longest.indexOf(index) + 1 : 'no position'}: client ${client + 1}: ${about}: ${said}`,
    ),
  ]
  return `<testcase${attribute('name', `${id}: ${sentence}`)} classname="explore.histories"${attribute('time', seenAfter.toFixed(3))}><failure${attribute('message', message)} type="impossible-history">${xmlText(lines.join('\n'))}</failure></testcase>`
}

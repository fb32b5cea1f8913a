import type { Learned } from '../../learn/learn.js'
import { describeAnswer } from '../../learn/learn-situations.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { count } from '../../reports/wording/words.js'

const named = 5

export const rowsInWords = (rows: readonly string[]): string =>
  `${rows.slice(0, named).join(', ')}${rows.length > named ? ` and ${rows.length - named} more` : ''}`

/** What the participant does otherwise, grouped. */
export function learnedText(
  { profile, inconsistent, proposed, rows, unknown }: Learned,
  meanings: ReadonlyMap<string, { meaning: string }>,
): string {
  const { situations, byRow, formats, accepted, basis } = profile
  const learned = [
    ...situations.map(
      ({ situation, answers, rows: of }) =>
        `  ${situation}: ${answers.map(describeAnswer).join(' or ')} (${rowsInWords(of)})`,
    ),
    ...byRow.map(
      ({ situation, rows: of }) =>
        `  ${situation}: ${count(of.length, 'row')} (${rowsInWords(of.map(({ row }) => row))})`,
    ),
  ]
  const undecided = inconsistent.flatMap(({ situation, answers }) => [
    `  ${situation}: ${meanings.get(situation)?.meaning ?? ''}`,
    ...answers.map(
      ({ answer, isExpected, rows: of }) => `    ${answer}${isExpected ? ', as expected' : ''}: ${rowsInWords(of)}`,
    ),
  ])
  const others = [
    ...(accepted ? [`  accepted requests: ${acceptedInWords(accepted)}`] : []),
    ...(basis ? ['  absent members that the text leaves optional (basis: text)'] : []),
    ...Object.entries(formats).map(([name, matcher]) => `  ${name}: ${JSON.stringify(matcher)}`),
  ]
  return [
    `${count(rows, 'row')} compared with the profile ${profile.extends}.`,
    ...section(`${count(learned.length, 'situation')} with other answers`, learned),
    ...section(`${count(others.length, 'other format')} of accepted answers`, others),
    ...section(
      `${count(inconsistent.length, 'situation')} with inconsistent answers; edit the profile, or learn each row with --by-row`,
      undecided,
    ),
    ...section(`${count(proposed.length, 'divergence')} proposed for violations of the text`, proposedLines(proposed)),
    ...section(`${count(unknown.length, 'row')} skipped: the suite has no row with this id and these requests`, [
      ...(unknown.length > 0 ? [`  ${rowsInWords(unknown)}`] : []),
    ]),
  ]
    .map(visibleLine)
    .join('\n')
}

const acceptedInWords = ({ status, 'media-type': mediaType }: NonNullable<Learned['profile']['accepted']>): string =>
  [...[status ?? []].flat(), mediaType ?? []].flat().join(' ')

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines]

const proposedLines = (proposed: Learned['proposed']): string[] =>
  proposed.flatMap(({ id, rule, statement, rows }) => [`  ${id} (${rule}): ${statement}`, `    ${rowsInWords(rows)}`])

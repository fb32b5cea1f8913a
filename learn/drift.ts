/** What a profile states and the participant no longer does. */
import { stringify } from 'yaml'
import type { Profile } from '../runner/suite/suite.js'
import type { Learned } from './learn.js'
import { describeAnswer } from './learn-situations.js'
import { commonOf, outcomesByRow, situationOutcomes } from './profile-text.js'
import { patternOf, statedOutcome } from './stated-outcome.js'

export interface Drift {
  /** Empty without drift. */
  groups: { title: string; lines: string[] }[]
  /** The entries of the profile (`-`) and those of the participant (`+`); empty without such entries. */
  diff: string
}

export function driftOf({ profile, inconsistent, proposed }: Learned, stated: Profile): Drift {
  const groups = [
    {
      title: 'Other answers, which the text permits',
      lines: [
        ...profile.situations.map(
          ({ situation, answers, rows }) =>
            `${situation}: ${answers.map(describeAnswer).join(' or ')} in ${rows.join(', ')}`,
        ),
        ...profile.byRow.flatMap(({ situation, rows }) =>
          rows.map(({ row, answer }) => `${situation}: ${describeAnswer(answer)} in ${row}`),
        ),
      ],
    },
    {
      title: 'Other forms of accepted answers',
      lines: [
        ...(profile.accepted ? ['accepted'] : []),
        ...(profile.basis ? ['basis: members are absent that the text leaves optional'] : []),
        ...Object.keys(profile.formats),
      ],
    },
    {
      title: 'Inconsistent answers',
      lines: inconsistent.flatMap(({ situation, answers }) =>
        answers
          .filter(({ isExpected }) => !isExpected)
          .map(({ answer, rows }) => `${situation}: ${answer} in ${rows.join(', ')}`),
      ),
    },
    {
      title: 'Violations of the text',
      lines: proposed.map(({ rule, statement, rows }) => `${rule}: ${statement} Rows: ${rows.join(', ')}`),
    },
  ]
  return { groups: groups.filter(({ lines }) => lines.length > 0), diff: diffOf(profile, stated) }
}

function diffOf(learned: Learned['profile'], stated: Profile): string {
  const common = commonOf(learned.codes)
  const situations = learned.situations.flatMap((one) => [
    ...lines('-', { [one.situation]: statedOutcome(stated.situations.get(one.situation), common) }),
    ...lines('+', { [one.situation]: situationOutcomes(one, common) }),
  ])
  const byRow = learned.byRow.flatMap((one) => [
    ...lines('-', { [one.situation]: statedOutcome(one.fact, common) }),
    ...lines('+', { [one.situation]: outcomesByRow(one, common) }),
  ])
  const formats = Object.entries(learned.formats).flatMap(([name, matcher]) => [
    ...lines('-', { [name]: stated.formats.get(name)?.matcher ?? {} }),
    ...lines('+', { [name]: matcher }),
  ])
  const accepted = learned.accepted
    ? [
        ...lines('-', { accepted: patternOf(stated.accepted, common) }, ''),
        ...lines('+', { accepted: learned.accepted }, ''),
      ]
    : []
  const basis = learned.basis
    ? [...lines('-', { basis: stated.basis }, ''), ...lines('+', { basis: learned.basis }, '')]
    : []
  const entries = [
    ...basis,
    ...accepted,
    ...(situations.length + byRow.length > 0 ? [' situations:', ...situations, ...byRow] : []),
    ...(formats.length > 0 ? [' formats:', ...formats] : []),
  ]
  return entries.length === 0 ? '' : [`--- ${stated.name}`, '+++ the participant', ...entries].join('\n')
}

const lines = (sign: string, entry: object, indent = '  '): string[] =>
  stringify(entry, { collectionStyle: 'flow', lineWidth: 0 })
    .trim()
    .replace(/^\{ (.*) \}$/s, '$1')
    .split('\n')
    .map((line) => `${sign}${indent}${line}`)

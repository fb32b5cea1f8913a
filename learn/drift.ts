/** What a profile states and the participant no longer does. */
import { stringify } from 'yaml'
import type { PermittedResponse, Profile, ResponsePattern } from '../runner/suite/suite.js'
import { omitUndefined } from '../runner/yaml/located.js'
import type { Learned } from './learn.js'
import { describeAnswer } from './learn-situations.js'
import { commonOf, outcomesOf } from './profile-text.js'

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
      lines: profile.situations.map(
        ({ situation, answers, rows }) =>
          `${situation}: ${answers.map(describeAnswer).join(' or ')} in ${rows.join(', ')}`,
      ),
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
  const situations = learned.situations.flatMap(({ situation, answers, divergence }) => {
    const fact = stated.situations.get(situation)
    const before = fact ? alternativesOf(fact.alternatives, fact.divergence, common) : { refused: true }
    return [
      ...lines('-', { [situation]: before }),
      ...lines('+', { [situation]: { ...outcomesOf(answers, common), ...omitUndefined({ divergence }) } }),
    ]
  })
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
    ...(situations.length > 0 ? [' situations:', ...situations] : []),
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

/** As in a profile, without the common properties of a code. */
function alternativesOf(
  alternatives: readonly PermittedResponse[],
  divergence: string | undefined,
  common: ReturnType<typeof commonOf>,
): object {
  const refused = alternatives.filter(({ outcome }) => outcome === 'refused')
  const patterns = refused.map(({ name, outcome: _, ...pattern }) => ({
    ...(refused.length > 1 && { name }),
    ...patternOf(pattern, common),
  }))
  const [only, ...more] = patterns
  return {
    ...(alternatives.some(({ outcome }) => outcome === 'accepted') && { accepted: true }),
    ...(only && { refused: more.length > 0 ? patterns : Object.keys(only).length === 0 ? true : only }),
    ...(divergence !== undefined && { divergence }),
  }
}

function patternOf(pattern: ResponsePattern & { confidence?: string }, common: ReturnType<typeof commonOf>): object {
  const { status, mediaType, code, confidence: _, ...rest } = pattern
  const known: object = (code === undefined ? undefined : common[code]) ?? {}
  const [only, ...more] = status ?? []
  const own = {
    code,
    status: more.length > 0 ? status : only?.endsWith('xx') ? only : Number(only),
    'media-type': code === undefined ? mediaType : undefined,
    ...kebabCased(rest),
  }
  return Object.fromEntries(
    Object.entries(own).filter(([name, value]) => value !== undefined && String(value) !== String(Object(known)[name])),
  )
}

const kebabCased = (pattern: object): object =>
  Object.fromEntries(
    Object.entries(pattern).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      value,
    ]),
  )

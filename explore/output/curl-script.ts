import { printJson } from '../../lib/json/json.js'
import type { Exchange } from '../compare/run-sequence.js'
import { bodyOfStep, type Step } from '../send/step.js'

/** For a POSIX shell with curl and jq. `$TOKEN` is the caller's token. Generated bodies are sent as recorded. */
export function curlScript(
  title: string,
  exchanges: readonly Exchange[],
  parties: ReadonlyMap<string, string>,
  url: string,
): string {
  const wanted = new Set(exchanges.flatMap(({ step }) => namesIn(step)))
  const assignments = [...parties]
    .filter(([name]) => wanted.has(name))
    .map(([name, value]) => `${shellName(name)}=${quoted(value)}`)
  const row = wanted.has('row') ? ['v_row="$(date +%s)$$"'] : []
  return [
    '#!/bin/sh',
    `# ${title.replace(/[\r\n]+/g, ' ')}`,
    '# Requires curl and jq. Reads TARGET and, if the target requires tokens, TOKEN from the environment.',
    `TARGET=\${TARGET:-${quoted(url)}}`,
    ...row,
    ...assignments,
    ...exchanges.flatMap(({ step, target }, index) => [
      '',
      ...requestLines(step, target.evidence?.request.body?.text, index + 1),
    ]),
    '',
  ].join('\n')
}

const namesIn = ({ request, actor }: Step): string[] =>
  [...JSON.stringify(request).matchAll(/\$\{([\w.-]+)\}/g)].map(([, name = '']) =>
    name === 'user' ? `user.${actor}` : name,
  )

const shellName = (name: string): string => `v_${name.replace(/\W/g, '_')}`

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const expanded = (text: string, actor: string): string =>
  `"${text
    .replace(/[\\"`]/g, '\\$&')
    .replace(/\$(?!\{[\w.-]+\})/g, '\\$')
    .replace(/\$\{([\w.-]+)\}/g, (_, name: string) => {
      return `\${${shellName(name === 'user' ? `user.${actor}` : name)}}`
    })}"`

function requestLines(
  { about, actor, request, capture, token }: Step,
  sent: string | undefined,
  number: number,
): string[] {
  const { method, path, query, params, headers } = request
  const filled =
    (params ? path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '') : path) +
    (query ? `?${new URLSearchParams(query)}` : '')
  const body = bodyText({ request }, sent)
  const comments = [
    `# ${number}. ${about.replace(/[\r\n]+/g, ' ')}, as ${actor}`,
    ...(token ? [`# with ${token.meaning}`] : []),
  ]
  const options = [
    `-sS -X ${method} "$TARGET"${expanded(filled, actor)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${expanded(`${name}: ${value}`, actor)}`),
    `\${TOKEN:+-H "Authorization: Bearer $TOKEN"}`,
    ...(body === undefined ? [] : [`--data-raw ${body.isLiteral ? quoted(body.text) : expanded(body.text, actor)}`]),
  ]
  const captures = Object.entries(capture).map(
    ([name, pointer]) => `${shellName(name)}=$(printf '%s' "$answer" | jq -r ${quoted(jqPath(pointer))})`,
  )
  return [...comments, `answer=$(curl ${options.join(' \\\n  ')})`, `printf '%s\\n' "$answer"`, ...captures]
}

function bodyText(
  step: Pick<Step, 'request'>,
  sent: string | undefined,
): { text: string; isLiteral: boolean } | undefined {
  const { body } = step.request
  if (!body) return undefined
  const json = bodyOfStep(step)
  const text = json === undefined ? ('text' in body ? body.text : '') : JSON.stringify(json)
  const isGenerated = /"\$[a-z]/.test(text)
  return isGenerated ? { text: sent ?? text, isLiteral: true } : { text, isLiteral: false }
}

const jqPath = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) =>
      /^\d+$/.test(part) ? `[${part}]` : `[${printJson(part.replaceAll('~1', '/').replaceAll('~0', '~'))}]`,
    )
    .join('')
    .replace(/^/, '.')

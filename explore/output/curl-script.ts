/** A finding as a shell script: what was sent to the target, request by request, with curl and jq. */
import { printJson } from '../../lib/json/json.js'
import type { Exchange } from '../compare/run-sequence.js'
import { bodyOfTurn, type Turn } from '../send/step.js'

/**
 * For a POSIX shell. `$TOKEN` stands for the caller's token, which nobody writes down. Ids come from the answers, where they did so
 * before; parties are those that the exploration made. A body that was signed or described is sent as it was then.
 */
export function curlScript(
  title: string,
  exchanges: readonly Exchange[],
  parties: ReadonlyMap<string, string>,
  url: string,
): string {
  const wanted = new Set(exchanges.flatMap(({ turn }) => namesIn(turn)))
  const given = [...parties]
    .filter(([name]) => wanted.has(name))
    .map(([name, value]) => `${shellName(name)}=${quoted(value)}`)
  const row = wanted.has('row') ? ['v_row="$(date +%s)$$"'] : []
  return [
    '#!/bin/sh',
    `# ${title.replace(/[\r\n]+/g, ' ')}`,
    '# Needs curl and jq. TARGET and, where tokens are asked for, TOKEN come from the environment.',
    `TARGET=\${TARGET:-${quoted(url)}}`,
    ...row,
    ...given,
    ...exchanges.flatMap(({ turn, target }, index) => [
      '',
      ...requestLines(turn, target.evidence?.request.body?.text, index + 1),
    ]),
    '',
  ].join('\n')
}

const namesIn = ({ request, actor }: Turn): string[] =>
  [...JSON.stringify(request).matchAll(/\$\{([\w.-]+)\}/g)].map(([, name = '']) =>
    name === 'user' ? `user.${actor}` : name,
  )

const shellName = (name: string): string => `v_${name.replace(/\W/g, '_')}`

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** In double quotes, with variables of the shell for those of the conversation. */
const expanded = (text: string, actor: string): string =>
  `"${text
    .replace(/[\\"`]/g, '\\$&')
    .replace(/\$(?!\{[\w.-]+\})/g, '\\$')
    .replace(/\$\{([\w.-]+)\}/g, (_, name: string) => {
      return `\${${shellName(name === 'user' ? `user.${actor}` : name)}}`
    })}"`

function requestLines(
  { about, actor, request, capture, token }: Turn,
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
  const takes = Object.entries(capture).map(
    ([name, pointer]) => `${shellName(name)}=$(printf '%s' "$answer" | jq -r ${quoted(jqPath(pointer))})`,
  )
  return [...comments, `answer=$(curl ${options.join(' \\\n  ')})`, `printf '%s\\n' "$answer"`, ...takes]
}

function bodyText(
  turn: Pick<Turn, 'request'>,
  sent: string | undefined,
): { text: string; isLiteral: boolean } | undefined {
  const { body } = turn.request
  if (!body) return undefined
  const json = bodyOfTurn({ ...turn, about: '', operation: '', actor: '', capture: {} })
  const text = json === undefined ? ('text' in body ? body.text : '') : JSON.stringify(json)
  const isDescribed = /"\$[a-z]/.test(text)
  return isDescribed ? { text: sent ?? text, isLiteral: true } : { text, isLiteral: false }
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

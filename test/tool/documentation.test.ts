/** Links, reachability and figures of the documentation. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { variants } from '../../lab/variants/catalogue.js'

const project = fileURLToPath(new URL('../../../', import.meta.url))
const markdownIn = (folder: string): string[] =>
  readdirSync(join(project, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
const pages = [...['.', 'docs', 'docs/reference', 'docs/decisions'].flatMap(markdownIn), 'suites/README.md']
const textOf = new Map(pages.map((page) => [page, readFileSync(join(project, page), 'utf8')]))

/** Brackets and `#` in fenced blocks are not links and headings. */
const withoutCode = (text: string): string => text.replace(/^( *)```[\s\S]*?^\1```$/gm, '')

/** The anchors of headings on GitHub. */
const anchorsOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

const linksOf = (page: string): { target: string; anchor: string }[] =>
  [...withoutCode(textOf.get(page) ?? '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor = ''] = link.split('#')
      return { target: path === '' ? page : relative(project, resolve(project, dirname(page), path)), anchor }
    })

t.test('each link leads to a file and a heading', async (t) => {
  for (const page of pages)
    for (const { target, anchor } of linksOf(page)) {
      t.ok(existsSync(join(project, target)), `${page}: ${target} exists`)
      const text = textOf.get(target)
      if (anchor !== '' && text !== undefined)
        t.ok(anchorsOf(text).includes(anchor), `${page}: ${target} has a heading for #${anchor}`)
    }
})

t.test('each page can be reached from README.md', async (t) => {
  const reached = new Set(['README.md'])
  for (const page of reached) for (const { target } of linksOf(page)) if (textOf.has(target)) reached.add(target)
  t.strictSame(
    pages.filter((page) => !reached.has(page)),
    [],
  )
})

t.test('the index of decisions names each decision with its title', async (t) => {
  const index = textOf.get('docs/decisions/README.md') ?? ''
  for (const page of markdownIn('docs/decisions').filter((path) => !path.endsWith('README.md'))) {
    const [title = ''] = (textOf.get(page) ?? '').split('\n')
    const [, number = '', statement = ''] = /^# (\d+)\. (.+)$/.exec(title) ?? []
    const file = page.slice('docs/decisions/'.length)
    t.ok(index.includes(`- [${number.padStart(4, '0')}](${file}): ${statement}\n`), page)
  }
})

t.test('each decision in a source exists', async (t) => {
  const numbers = new Set(markdownIn('docs/decisions').map((page) => page.slice(15, 19)))
  const isGenerated = (path: string): boolean => /(?:^|\/)(?:node_modules|dist|\.[^/]*|results)(?:\/|$)/.test(path)
  const sources = readdirSync(project, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !isGenerated(entry.name))
    .flatMap(({ name }) =>
      readdirSync(join(project, name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
    )
    .filter((path) => /\.(?:ts|tsx|mjs|cjs|yaml|md)$/.test(path) && !isGenerated(path))
  t.ok(sources.length > 500, `${sources.length} sources`)
  for (const source of sources) {
    const text = readFileSync(join(project, source), 'utf8')
    for (const [name, number = ''] of text.matchAll(/\bdecisions\/(\d{4})/g))
      t.ok(numbers.has(number), `${source}: ${name}`)
  }
})

t.test('docs/design.md stays short', async (t) => {
  const text = textOf.get('docs/design.md') ?? ''
  t.ok(text.split('\n').length <= 120, 'two screens')
  const [, glossary = ''] = /^## Glossary\n([\s\S]*?)^## /m.exec(text) ?? []
  const terms = glossary.split('\n').filter((line) => line.startsWith('| ')).length - 1
  t.ok(terms > 0 && terms <= 25, `${terms} terms`)
})

t.test('the figures of the mutation report in README.md are those of docs/reference/mutation-report.md', async (t) => {
  const report = textOf.get('docs/reference/mutation-report.md') ?? ''
  const readme = textOf.get('README.md') ?? ''
  const figure = (name: string): string => {
    const [, value = ''] = new RegExp(`^\\| ${name} \\| (.+) \\|$`, 'm').exec(report) ?? []
    t.not(value, '', `${name} of docs/reference/mutation-report.md`)
    return value
  }
  t.match(readme, `| Mutants, each with one seeded fault | ${figure('Mutants')} |`)
  t.match(
    readme,
    `| Killed by rows that name the rule, or by the last reads | ${figure('Killed by rows of the rule, or by the last reads')} |`,
  )
  const others = figure('Killed only by rows of other rules')
  t.match(readme, `| Killed by rows of other rules only; not killed | ${others}; ${figure('Survived')} |`)
  t.match(readme, `| Permitted variants | ${variants.length} |`)
})

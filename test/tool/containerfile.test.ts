/** The check of Containerfiles, with small ones; `npm run check:container` checks the real one. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { start } from './start-program.js'

const script = fileURLToPath(new URL('../../../tools/checks/check-containerfile.mjs', import.meta.url))

const check = async (t: Test, ...lines: string[]): Promise<string> => {
  const project = t.testdir({
    Containerfile: `${lines.join('\n')}\n`,
    '.containerignore': 'secret\n',
    'one.txt': 'one',
    'two.txt': 'two',
    secret: 'ignored',
  })
  const { code, output } = await start(project, process.execPath, script, join(project))
  return `${code} ${output.trim()}`
}

const image = ['FROM example.org/base:1 AS first', 'WORKDIR /here']

t.test('a stage copies files of an earlier stage', async (t) => {
  const first = [...image, 'COPY . .', 'RUN test ! -e secret && cat one.txt two.txt > both.txt']
  const second = [
    'FROM example.org/base:1',
    'COPY --from=first /here/b*.txt /there/it',
    'WORKDIR /there',
    'RUN grep onetwo it',
  ]
  const outcome = await check(t, ...first, ...second, 'ENTRYPOINT ["cat"]', 'CMD ["it"]')
  t.equal(outcome, '0 Containerfile: 10 lines checked, 2 stages; cat it works')
})

t.test('PATH of the image finds its programs', async (t) => {
  const make = `RUN mkdir bin && printf '#!/bin/sh\\n' > bin/mine && chmod +x bin/mine`
  const outcome = await check(t, ...image, make, `ENV PATH="/here/bin:\${PATH}"`, 'ENTRYPOINT ["mine"]')
  t.match(outcome, /^0 .* mine works$/)
})

t.test('an error names its line', async (t) => {
  const faults: [line: string, message: RegExp][] = [
    ['COPY three.txt .', /^1 Containerfile:3: no file matches three\.txt$/],
    ['COPY *.txt all', /^1 Containerfile:3: \*\.txt matches several files, but all is not a folder$/],
    ['COPY --from=nowhere a b', /^1 Containerfile:3: no earlier stage is named nowhere$/],
    ['RUN echo oh no && exit 3', /^1 Containerfile:3: the command failed \(3\):\noh no$/],
    ['RUN touch /etc/hosts', /^1 Containerfile:3: RUN names an absolute path/],
    ['ENV OTHER="x"', /^1 Containerfile:3: this check supports only the variable PATH$/],
    ['HEALTHCHECK NONE', /^1 Containerfile:3: this check does not support HEALTHCHECK$/],
    ['FROM example.org/base', /^1 Containerfile:3: the image example.org\/base has no tag$/],
  ]
  for (const [line, message] of faults) t.match(await check(t, ...image, line), message, line)
  t.match(await check(t, ...image, 'ENTRYPOINT ["false"]'), /the command failed \(1\)/, 'the command of the image')
})

/** The action and the CI examples are valid for their CI systems. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type AnySchema } from 'ajv'
import formats from 'ajv-formats'
import t from 'tap'
import { parse } from 'yaml'
import { githubParsers, importSeparate, project } from './separate-packages.js'

const content = (path: string): string => readFileSync(join(project, path), 'utf8')

t.test("GitHub's parsers accept the action and the workflow", async (t) => {
  const mistakes = await githubParsers(t.testdir({}))
  const [action, workflow] = [content('action.yml'), content('examples/ci/github-nightly.yml')]
  t.strictSame(mistakes.inAction('action.yml', action), [])
  t.match(mistakes.inAction('action.yml', action.replace('using: composite', 'usin: composite')).join(), /usin/)
  t.strictSame(mistakes.inWorkflow('nightly.yml', workflow), [])
  t.match(mistakes.inWorkflow('nightly.yml', workflow.replace('strategy:', 'stategy:')).join(), /stategy/)
})

t.test("GitLab's schema accepts the pipeline", async (t) => {
  const { schema } = await importSeparate<{ schema: AnySchema }>('gitlab-ci-local/src/schema/schema.js')
  const ajv = new Ajv({ strict: false, allowUnionTypes: true })
  formats.default(ajv)
  const validate = ajv.compile(schema)
  const text = content('examples/ci/gitlab-nightly.yml')
  t.ok(validate(parse(text)), JSON.stringify(validate.errors?.slice(0, 3)))
  t.notOk(validate(parse(text.replaceAll('when: always', 'when: allways'))), 'it rejects a mistake')
})

type Model = new (
  fields: object,
) => {
  /** Throws for an invalid object. */
  validate(): void
}

t.test('the models of Kubernetes accept the Job and the CronJob', async (t) => {
  const { CronJob, Job } = await importSeparate<Record<'CronJob' | 'Job', Model>>('kubernetes-models/batch/v1')
  const job = content('examples/ci/kubernetes-job.yaml')
  new Job(parse(job)).validate()
  t.throws(() => new Job(parse(job.replace('completions: 3', 'completions: three'))).validate())
  const cron = content('examples/ci/kubernetes-cronjob.yaml')
  new CronJob(parse(cron)).validate()
  t.throws(() => new CronJob(parse(cron.replace('schedule:', 'shedule:'))).validate())
})

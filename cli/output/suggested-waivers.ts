/** `--suggest-waivers`: what would excuse the failures of a run, to be looked at and pasted. */
import type { RunRecord } from '../../record/types/record.js'
import { suggestedWaivers } from '../../reports/summary/suggest-waivers.js'

/** The user who started a job is a better guess than the account of the job. */
const names = ['GITHUB_ACTOR', 'GITLAB_USER_LOGIN', 'USER', 'USERNAME']

export function waiversFor(record: RunRecord): string {
  const owner =
    names.map((name) => process.env[name]).find((value) => value !== undefined && value !== '') ?? 'nobody yet'
  return suggestedWaivers(record, owner, new Date()).trimEnd()
}

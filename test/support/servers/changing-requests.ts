/** Which requests ask a participant for a change. */
import { operations, supportOperations } from '../../../interface/operations.js'
import type { SeenRequest } from './gateways.js'

const changing = Object.values({ ...operations, ...supportOperations })
  .filter(({ commits, changes }) => commits || changes)
  .map(({ method, path }) => ({ method, form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }))

const vetting = operations['update-package-vetting'].path

/**
 * A dry run of another vetting is none, however it is written, and neither is a body without any member, by which a run finds out
 * whether an operation exists. Whatever else is sent to these operations is, by whatever method.
 */
export function requestsChange({ method, path, body }: SeenRequest): boolean {
  if (body === '{}') return false
  if (path === vetting) return !/["']dryRun["']:\s*true/.test(body.replaceAll('\0', ''))
  return changing.some((one) => one.form.test(path) && (method === one.method || method === 'POST' || method === 'PUT'))
}

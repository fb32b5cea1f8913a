import { operations, supportOperations } from '../../../interface/operations.js'
import type { SeenRequest } from './gateways.js'

const changing = Object.values({ ...operations, ...supportOperations })
  .filter(({ commits, changes }) => commits || changes)
  .map(({ method, path }) => ({ method, form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }))

const vetting = operations['update-package-vetting'].path

/** False for dry runs, and for empty objects, with which a run checks that an operation exists. */
export function requestsChange({ method, path, body }: SeenRequest): boolean {
  if (body === '{}') return false
  if (path === vetting) return !/["']dryRun["']:\s*true/.test(body.replaceAll('\0', ''))
  return changing.some((one) => one.form.test(path) && (method === one.method || method === 'POST' || method === 'PUT'))
}

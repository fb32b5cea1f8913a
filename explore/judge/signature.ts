import type { Difference } from '../compare/compare-answers.js'
import type { Turn } from '../send/step.js'

/** In what two answers differ, without whatever differs from time to time: the same for what is likely one cause. */
export function signatureOf(
  { operation, request }: Turn,
  { level, pointer, model, target, outcomes }: Difference,
): string {
  const place = pointer.replace(/\/\d+(?=\/|$)/g, '/*')
  const said = pointer === '' && level !== 'shape' && level !== 'value' ? `${String(model)} | ${String(target)}` : ''
  const form = request.method === 'POST' ? '' : ` ${request.method}`
  return `${operation}${form} ${level} ${place} ${outcomes.model} ${outcomes.target} ${said}`.trim()
}

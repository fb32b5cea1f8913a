import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'

/** A part of the page that, should it fail, says so and leaves the rest in use. A new key gives it another chance. */
export function ErrorBoundary({ children }: { children: ComponentChildren }) {
  const [problem] = useErrorBoundary()
  if (problem === undefined) return <>{children}</>
  return (
    <p class="banner" role="alert">
      This cannot be shown: {problem instanceof Error ? problem.message : String(problem)}. The run record has it.
    </p>
  )
}

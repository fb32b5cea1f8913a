/** Prints an error and keeps the rest usable. A new key renders it again. */
import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'

export function ErrorBoundary({ children }: { children: ComponentChildren }) {
  const [problem] = useErrorBoundary()
  if (problem === undefined) return <>{children}</>
  return (
    <p class="banner" role="alert">
      Cannot show this view: {problem instanceof Error ? problem.message : String(problem)}. The run record contains its
      data.
    </p>
  )
}

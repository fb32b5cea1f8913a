import { options } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Whether the page is being printed. The change is rendered at once: the printer takes what it finds. */
export function usePrinting(): boolean {
  // Whoever prints does not wait for the page to be unpacked.
  const [isPrinting, setPrinting] = useState(() => matchMedia('print').matches)
  useEffect(() => {
    const paper = matchMedia('print')
    const follow = () => atOnce(() => setPrinting(paper.matches))
    const begin = () => atOnce(() => setPrinting(true))
    const end = () => atOnce(() => setPrinting(false))
    paper.addEventListener('change', follow)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    // It may have begun between the first rendering and here.
    if (paper.matches) begin()
    return () => {
      paper.removeEventListener('change', follow)
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}

function atOnce(change: () => void): void {
  const usual = options.debounceRendering
  options.debounceRendering = (render) => render()
  change()
  if (usual) options.debounceRendering = usual
  else delete options.debounceRendering
}

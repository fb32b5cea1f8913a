import { options } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Whether the page is being printed. The change is rendered at once: the printer takes what it finds. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const paper = matchMedia('print')
    const follow = () => atOnce(() => setPrinting(paper.matches))
    const begin = () => atOnce(() => setPrinting(true))
    const end = () => atOnce(() => setPrinting(false))
    paper.addEventListener('change', follow)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
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

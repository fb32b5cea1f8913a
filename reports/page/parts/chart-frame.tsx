/** A chart with its title, and its numbers as a table that opens with a click. */
import type { ComponentChildren } from 'preact'
import { ScrollTable } from './scroll-box.js'

export interface ChartFrameProps {
  id: string
  title: string
  /** The chart in one sentence, also for screen readers. */
  summary: string
  columns: string[]
  lines: (string | number)[][]
  children: ComponentChildren
}

export function ChartFrame({ id, title, summary, columns, lines, children }: ChartFrameProps) {
  return (
    <section class="card chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="muted">{summary}</p>
      {children}
      <details>
        <summary>Numbers</summary>
        <ScrollTable name={`${title}: numbers`}>
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map(([name, ...cells]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {cells.map((cell, index) => (
                    <td key={columns[index + 1]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollTable>
      </details>
    </section>
  )
}

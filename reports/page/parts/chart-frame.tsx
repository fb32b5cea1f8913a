import type { ComponentChildren } from 'preact'
import { ScrollTable } from './scroll-box.js'

export interface ChartFrameProps {
  id: string
  title: string
  /** The chart in one sentence, for those who do not see it. */
  summary: string
  columns: string[]
  lines: (string | number)[][]
  children: ComponentChildren
}

/** A chart with its title and, behind a click, its numbers as a table. */
export function ChartFrame({ id, title, summary, columns, lines, children }: ChartFrameProps) {
  return (
    <section class="card chart" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="muted">{summary}</p>
      {children}
      <details>
        <summary>The numbers</summary>
        <ScrollTable name={`${title}: the numbers`}>
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

/** What `conform report` can write and `conform diff` can tell; names alone, since the help needs no more. */
export const reportFormats = ['html', 'junit', 'tap', 'ctrf', 'markdown', 'badge', 'schema'] as const

export type ReportFormat = (typeof reportFormats)[number]

export const diffFormats = ['console', 'markdown', 'json', 'html'] as const

export type DiffFormat = (typeof diffFormats)[number]

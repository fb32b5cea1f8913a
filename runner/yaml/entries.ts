/** Maps of suite files as entries with their places. */
import type { Shapes } from '../suite/shapes.js'
import type { Location } from '../suite/suite.js'
import type { ShapedFile } from './check-shape.js'
import { keyLocation } from './locations.js'
import type { FileKind } from './suite-files.js'

type SuiteKind = FileKind & keyof Shapes

/** Files with a root. */
export const filesOf = <Kind extends SuiteKind>(files: readonly ShapedFile[], kind: Kind): ShapedFile<Shapes[Kind]>[] =>
  files.filter((file) => file.kind === kind && file.root !== undefined) as ShapedFile<Shapes[Kind]>[] // by schema

/** `location`: that of the name. */
export interface Entry<Shape> {
  name: string
  value: Shape
  location: Location
}

type MapIn<Kind extends SuiteKind, Name extends keyof Shapes[Kind]> = NonNullable<Shapes[Kind][Name]>
type MemberIn<Kind extends SuiteKind, Name extends keyof Shapes[Kind]> = MapIn<Kind, Name>[keyof MapIn<Kind, Name> &
  string]

/** Of a top-level map of all files. */
export const entriesIn = <Kind extends SuiteKind, Name extends keyof Shapes[Kind]>(
  files: readonly ShapedFile[],
  kind: Kind,
  name: Name,
): Entry<MemberIn<Kind, Name>>[] =>
  filesOf(files, kind).flatMap(({ root }) => entriesOf(root[name] as Record<string, MemberIn<Kind, Name>> | undefined)) // by schema

/** Undefined: none. */
export const entriesOf = <Shape>(map: Record<string, Shape> | undefined): Entry<Shape>[] =>
  map ? Object.entries(map).map(([name, value]) => ({ name, value, location: keyLocation(map, name) })) : []

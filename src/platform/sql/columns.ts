import { type Fragment, identifier, quoted, sql } from './statement.ts';

/** Values of a statement by their names. */
export type Columns = Readonly<Record<string, Fragment>>;

export const pickColumns = <Name extends string>(
  columns: Readonly<Record<Name, Fragment>>,
  ...names: readonly Name[]
) => Object.fromEntries(names.map((name) => [name, columns[name]])) as Record<Name, Fragment>;

const listed = (columns: Columns, each: (name: string, value: Fragment) => Fragment): Fragment =>
  Object.entries(columns)
    .map(([name, value]) => each(name, value))
    .reduce((all, one) => sql`${all}, ${one}`);

/** A part of the list of a select. */
export const namedColumns = (columns: Columns): Fragment =>
  listed(columns, (name, value) => sql`${value} as ${identifier(name)}`);

/** The same of json_build_object. */
export const jsonMembers = (columns: Columns): Fragment =>
  listed(columns, (name, value) => sql`${quoted(name)}, ${value}`);

/** For readers that parse it: PostgreSQL inserts spaces. */
export const jsonObject = (columns: Columns): Fragment => sql`json_build_object(${jsonMembers(columns)})`;

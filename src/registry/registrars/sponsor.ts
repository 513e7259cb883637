import { type Fragment, sql } from '../../platform/sql/statement.ts';

/** A registrar as its objects show it. */
export type Sponsor = { readonly name: string; readonly website: string };

/** A JSON value: a part of a loading statement. */
export const sponsorValue = (registrarId: number | Fragment): Fragment => sql`(
  select json_build_object('name', r.name, 'website', r.website) from registrars r where r.id = ${registrarId})`;

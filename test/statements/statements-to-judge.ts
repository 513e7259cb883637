import { constant, type Fragment, type Statement, sql } from '../../src/platform/sql/statement.ts';

// What find-contradictions.test.ts judges. None of it is run.

type Since = { readonly frozenSince: Date | null };

export const right = sql<
  { zone: string; serial: number } & Since
>`select zone, serial, frozen_since as "frozenSince" from zones`;
export const withValues = (at: Date, isNew: boolean) =>
  sql<{ past: boolean }>`select ${at} < now() or ${isNew} as past`;
export const left = sql<{ since: Date }>`select frozen_since as since from zones where frozen_since < now()`;
export const lists = sql<{
  names: string[];
  members: { id: number }[];
}>`select array['a'] as names, '[]'::jsonb as members`;
export const wider = sql<{ key: number | string }>`select serial as key from zones`;

export const misnamed = sql<{ zone: string }>`select zone as name from zones`;
export const unknownColumn = sql<{ title: string }>`select title from zones`;
export const numberAsText = sql<{ serial: string }>`select serial from zones`;
export const textAsNumber = sql<{ price: number }>`select 1.5 as price`;
export const textsAsNumbers = sql<{ names: number[] }>`select array['a'] as names`;
export const dateInJson = sql<{ shown: { at: Date } }>`select json_build_object('at', now()) as shown`;
export const nullAsDate = sql<{ since: Date }>`select frozen_since as since from zones`;
export const nullAsText = sql<{
  zone: string;
}>`select z.zone from domains d left join zones z on z.serial = d.id`;
export const unread = sql<{ zone: string }>`select zone, serial from zones`;
export const named = sql<{ zone: string }>`select zone, 'x' as zone from zones`;

export const composed = (column: Fragment) => sql<{ serial: number }>`select ${column} from zones as z`;
export const unmet = (which: Fragment) => sql<{ serial: number }>`select serial from zones where ${which}`;

/** A page of rows: what is shown of them is a typed part. */
export const page = <Row extends object>(shown: Statement<Row>) =>
  sql<Row & { position: number }>`select 1 as position, ${shown} from zones as z`;
export const shown = (name: Fragment) => sql<{ label: string }>`lower(${name}) as label`;
export const wronglyShown = (name: Fragment) => sql<{ label: string }>`upper(${name}) as name`;

/** A lookup: what it finds is a constant part. */
export const lookup = <Row extends object>(found: Statement<Row>) =>
  sql<Row>`select found.* from domains d cross join lateral (${found}) as found`;
export const found = (key: Fragment) =>
  constant(sql<{ serial: string }>`select z.serial from zones z where z.zone = ${key}`);

import { type Fragment, sql } from '../platform/sql/statement.ts';

const KINDS = { domain: sql`'domain '`, contact: sql`'contact '` };

/** An id for clients that expect a UUID: derived from ours, so that it stays the same and is stored nowhere. */
export const objectUuid = (kind: keyof typeof KINDS, id: Fragment): Fragment =>
  sql`overlay(overlay(left(encode(sha256(convert_to(${KINDS[kind]} || ${id}, 'UTF8')), 'hex'), 32) placing '4' from 13) placing '8' from 17)::uuid`;

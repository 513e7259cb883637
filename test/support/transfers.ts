import type { Pool } from '../../src/platform/sql/executor.ts';
import type { Client, Reply } from './client.ts';
import { freshCode } from './contacts.ts';
import { Registrant } from './domains.ts';
import { sql } from './sql.ts';

/** A registrant that no other registrar has as a contact yet. */
export const newRegistrant = (client: Client): Promise<Registrant> =>
  Registrant.of(client, { email: `${freshCode()}@example.ee` });

/** The transfer code of a domain, as its sponsor sees it. */
export async function codeOf(sponsor: Client, name: string): Promise<string> {
  const { transfer_code: code } = (await sponsor.get(`/domains/${name}`)).body.data.domain;
  if (code === undefined) throw new Error(`${name} is not the registrar's`);
  return code;
}

export const take = (
  client: Client,
  name: string,
  code: string,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  client.post(`/domains/${name}/transfer`, { transfer: { transfer_code: code } }, { headers });

export const transferInfo = (client: Client, name: string, code?: string): Promise<Reply> =>
  client.get(`/domains/${name}/transfer_info`, code === undefined ? {} : { headers: { 'auth-code': code } });

export type Message = {
  readonly type: string;
  readonly text: string;
  readonly attached_obj_type: string | null;
  readonly attached_obj_id: number | null;
};

/** What a registrar was told of a domain, in the order in which it happened. */
export async function messagesAbout(client: Client, name: string): Promise<Message[]> {
  const { data } = (await client.get('/registrar/notifications/all_notifications?limit=1000')).body;
  return (data as Message[]).filter(({ text }) => text.includes(name)).toReversed();
}

/** A domain at its very end, as the registry's own job leaves it: nothing but the memory of its last sponsor. */
export const purge = (db: Pool, name: string) =>
  db.rows(sql`
  with gone as (delete from domains where name = ${name} returning registrar_id)
  insert into removed_objects (object_kind, name_key, registrar_id, removed_at)
  select 'domain', ${name}, registrar_id, now() from gone`);

/** Opens a dispute about a name. */
export const dispute = (db: Pool, name: string) =>
  db.rows(sql`
  insert into disputes (name, code, starts_at, expires_at)
  values (${name}, 'dispute-code', now() - interval '1 day', now() + interval '1 year')`);

/** How many wrong codes are remembered for a name. */
export async function wrongCodesFor(db: Pool, name: string): Promise<number> {
  const { count } = await db.one(
    sql<{ count: number }>`select count(*)::int as count from wrong_codes where name = ${name}`,
  );
  return count;
}

import { expect } from 'vitest';
import type { Client } from './client.ts';

type Place = { readonly url: string };
export type SentMail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly links: readonly string[];
};

/** Moves the sandbox's clock, with everything that falls due on the way. */
export async function moveClock({ url }: Place, by: { advance: string } | { set: string }): Promise<void> {
  const reply = await fetch(`${url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(by),
  });
  expect(reply.status).toBe(200);
}

/** Reads and acknowledges everything unread; oldest first. Statements come with the months, whatever a test is about. */
export async function takeMessages(
  client: Client,
): Promise<
  { type: string; text: string; attached_obj_type: string | null; attached_obj_id: number | null }[]
> {
  const { data } = (await client.get('/registrar/notifications/all_notifications?limit=1000')).body;
  for (const { id } of data)
    await client.put(`/registrar/notifications/${id}`, { notification: { read: true } });
  return data.filter(({ type }: { type: string }) => type !== 'statement_ready').toReversed();
}

export const takeMessageTypes = async (client: Client): Promise<string[]> =>
  (await takeMessages(client)).map(({ type }) => type);

/** The mails that were sent, newest first. */
export async function sentMails({ url }: Place): Promise<SentMail[]> {
  return (await (
    await fetch(`${url}/sandbox/mail`, { headers: { accept: 'application/json' } })
  ).json()) as SentMail[];
}

/** The statuses of a domain of the caller, sorted. */
export const statusesOf = async (client: Client, name: string): Promise<string[]> =>
  Object.keys((await client.get(`/domains/${name}`)).body.data.domain.statuses).toSorted();

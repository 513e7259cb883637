import type { Client } from './client.ts';
import { createContact } from './contacts.ts';
import { Registrant } from './domains.ts';

/** Something that a registrar asked and its registrant has to decide. */
export type Asked = {
  readonly domain: string;
  /** As it stands in the mail. */
  readonly link: string;
  /** The contact that shall become the registrant; undefined for a deletion. */
  readonly newRegistrant: string | undefined;
};
type Names = { readonly name?: string; readonly registrant?: string; readonly newRegistrant?: string };

export const JAAN = { ident: '37605030299', ident_type: 'priv', ident_country_code: 'EE' } as const;
const organisation = (ident: string) => ({ ident, ident_type: 'org', ident_country_code: 'EE' });

/** A name that no person may have is given to an organisation. */
const holder = (name: string | undefined, person: Record<string, unknown>, code: string) =>
  name === undefined ? person : { name, ident: organisation(code) };

/** Registers a domain, asks for another registrant, and opens the registrant's mail. */
export async function askForNewRegistrant(client: Client, names: Names = {}): Promise<Asked> {
  const domain = await register(client, names);
  const newRegistrant = await createContact(
    client,
    holder(names.newRegistrant, { name: 'Jaan Jõgi', email: 'jaan@example.ee', ident: JAAN }, '87654321'),
  );
  const { body } = await client.put(`/domains/${domain}`, {
    domain: { registrant: { code: newRegistrant, verified: false } },
  });
  if (!body.data.domain?.pending) throw new Error(`the registrant was not asked: ${body.message}`);
  return { domain, newRegistrant, link: await linkFor(client.url, domain) };
}

/** Registers a domain, asks for its deletion, and opens the registrant's mail. */
export async function askForDeletion(client: Client, names: Names = {}): Promise<Asked> {
  const domain = await register(client, names);
  const { body } = await client.delete(`/domains/${domain}`, { domain: { delete: { verified: false } } });
  if (!body.data.domain?.pending) throw new Error(`the registrant was not asked: ${body.message}`);
  return { domain, newRegistrant: undefined, link: await linkFor(client.url, domain) };
}

async function register(client: Client, { name, registrant }: Names): Promise<string> {
  const mari = await Registrant.of(client, holder(registrant, {}, '12345678'));
  return mari.register(name === undefined ? {} : { name });
}

/** The link of the newest mail about this domain that has one. */
async function linkFor(url: string, domain: string): Promise<string> {
  const mails = (await (await fetch(`${url}/sandbox/mail`)).json()) as { subject: string; links: string[] }[];
  const [link] =
    mails.find(({ subject, links }) => subject.includes(domain) && links.length > 0)?.links ?? [];
  if (!link) throw new Error(`no mail about ${domain} holds a link`);
  return link;
}

/** What the registrar was told about a domain, the newest first: type and text of each message. */
export async function messagesAbout(
  client: Client,
  domain: string,
): Promise<{ type: string; text: string }[]> {
  const { body } = await client.get('/registrar/notifications/all_notifications');
  const messages = body.data as { type: string; text: string }[];
  return messages.filter(({ text }) => text.includes(domain)).map(({ type, text }) => ({ type, text }));
}

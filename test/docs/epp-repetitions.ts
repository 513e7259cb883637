import { freshCode } from '../support/contacts.ts';
import { freshName } from '../support/domains.ts';
import type { EppClient } from '../support/epp.ts';
import { type EppCommand, eis, type LogInOptions, poll } from '../support/epp-frames.ts';
import { objectCommands } from '../support/epp-objects.ts';

type LogIn = (
  user: string,
  password?: string,
  options?: LogInOptions,
) => Promise<{ readonly client: EppClient; readonly code: number }>;

const { contact, domain } = objectCommands('ietf');
const CODE = 'code-of-domain';
const MARI = {
  name: 'Mari Maasikas',
  voice: '+372.5551234',
  email: 'mari@example.ee',
  code: 'code-of-contact',
  address: { city: 'Tallinn', cc: 'EE' },
};
const IDENT = eis({ ident: { type: 'priv', cc: 'EE', code: '60001019906' } });
const newCode = () => freshCode().slice(0, 16);

/** The codes of a command and of its repetition. */
const repetitions: Readonly<Record<string, (logIn: LogIn) => Promise<readonly number[]>>> = {
  'domain create': async (logIn) => {
    const { client } = await logIn('alpha');
    const registrant = await createContact(client);
    return twice(client, domain.create({ name: freshName(), registrant, code: CODE }));
  },
  'domain update': async (logIn) => {
    const { client, name } = await registeredBy(logIn);
    const nameservers = ['ns1.example.net', 'ns2.example.net'];
    return twice(client, domain.update(name, { add: { nameservers } }));
  },
  'domain renew': async (logIn) => {
    const { client, name } = await registeredBy(logIn);
    const expiry = (await client.command(domain.info(name))).text('infData/exDate') ?? '';
    return twice(client, domain.renew(name, expiry.slice(0, 10), '1y'));
  },
  'domain transfer': async (logIn) => {
    const { name } = await registeredBy(logIn);
    const { client } = await logIn('beta');
    return twice(client, domain.transfer('request', name, { code: CODE }));
  },
  'domain delete': async (logIn) => {
    const { client, name } = await registeredBy(logIn);
    return twice(client, objectCommands('ee').domain.delete(name, 'yes'));
  },
  'contact create': async (logIn) =>
    twice((await logIn('alpha')).client, contact.create(newCode(), MARI), IDENT),
  'contact update': async (logIn) => {
    const { client } = await logIn('alpha');
    const chg = { email: 'mari@example.net' };
    return twice(client, contact.update(await createContact(client), { chg }));
  },
  'contact delete': async (logIn) => {
    const { client } = await logIn('alpha');
    return twice(client, contact.delete(await createContact(client)));
  },
  'poll ack': async (logIn) => {
    const { client, name } = await registeredBy(logIn);
    const { client: other } = await logIn('beta');
    await other.command(domain.transfer('request', name, { code: CODE }));
    const { code, ...message } = await oldestMessage(client);
    if (code !== 1301) throw new Error(`There is no message: ${code}`);
    return twice(client, poll.acknowledge(message.id));
  },
  login: async (logIn) => {
    const changed = 'beta-changed-password';
    const change = () => logIn('beta', undefined, { newPassword: changed });
    const codes = [(await change()).code, (await change()).code];
    await logIn('beta', changed, { newPassword: 'beta-sandbox-password' });
    return codes;
  },
};

export const REPEATED_COMMANDS: readonly string[] = Object.keys(repetitions);

export function repeat(command: string, logIn: LogIn): Promise<readonly number[]> {
  const repetition = repetitions[command];
  if (!repetition) throw new Error(`No test repeats ${command}`);
  return repetition(logIn);
}

async function twice(client: EppClient, command: EppCommand, ...extensions: readonly string[]) {
  const first = await client.command(command, ...extensions);
  return [first.code, (await client.command(command, ...extensions)).code];
}

async function oldestMessage(client: EppClient): Promise<{ code: number; id: string }> {
  const answer = await client.command(poll.request);
  return { code: answer.code, id: answer.attribute('msgQ', 'id') ?? '' };
}

async function createContact(client: EppClient): Promise<string> {
  const id = newCode();
  const { code, frame } = await client.command(contact.create(id, MARI), IDENT);
  if (code !== 1000) throw new Error(`The contact was not created:\n${frame}`);
  return id;
}

async function registeredBy(logIn: LogIn): Promise<{ client: EppClient; name: string }> {
  const { client } = await logIn('alpha');
  const name = freshName();
  const command = domain.create({ name, registrant: await createContact(client), code: CODE });
  const { code, frame } = await client.command(command);
  if (code !== 1000) throw new Error(`The domain was not registered:\n${frame}`);
  return { client, name };
}

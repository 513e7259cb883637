import { alpha, beta, type Client, type Reply } from '../../../support/client.ts';
import { newContact } from '../../../support/contacts.ts';
import { hosts } from '../../../support/domains.ts';
import type { EppClient } from '../../../support/epp.ts';
import type { EppAnswer } from '../../../support/epp-answer.ts';
import { type EppCommand, eis, envelope, poll } from '../../../support/epp-frames.ts';
import { objectCommands } from '../../../support/epp-objects.ts';
import { expect } from '../../../support/this-test.ts';

export type StoryDomain = {
  readonly name: string;
  readonly registrant: string;
  readonly admin: string;
  readonly tech: string;
  readonly nameservers: readonly string[];
  readonly code: string;
};
/** Ids of one command, as in the poll message about its outcome. */
export type Ids = { readonly client: string | undefined; readonly server: string };

/** What a registrar does in the story, through one interface. */
export type RegistrarInterface = {
  createContact(code: string, email: string, ident: string): Promise<unknown>;
  changeEmail(code: string, email: string): Promise<unknown>;
  deleteContact(code: string): Promise<unknown>;
  createDomain(domain: StoryDomain): Promise<unknown>;
  addNameserver(name: string, hostname: string): Promise<unknown>;
  hold(name: string): Promise<unknown>;
  release(name: string): Promise<unknown>;
  changeCode(name: string, code: string): Promise<unknown>;
  readCode(name: string): Promise<string>;
  renew(name: string): Promise<unknown>;
  askForRegistrant(name: string, code: string): Promise<Ids>;
  askForDeletion(name: string): Promise<Ids>;
  transfer(name: string, code: string): Promise<unknown>;
  /** Reads and acknowledges the only message. */
  takeMessage(): Promise<{ readonly text: string; readonly pendingAction?: Ids }>;
};

export type User = 'alpha' | 'beta';
const PHONE = '+372.5551234';

export function throughRest(url: string, user: User): RegistrarInterface {
  const client: Client = { alpha, beta }[user](url);
  const done = async (reply: Promise<Reply>): Promise<Reply> => {
    const answer = await reply;
    expect(answer.text).toContain('"code":1000');
    return answer;
  };
  const ids = ({ headers }: Reply): Ids => ({
    client: undefined,
    server: headers.get('x-request-id') ?? '',
  });
  const read = async (name: string) => (await done(client.get(`/domains/${name}`))).body.data.domain;
  return {
    createContact: (id, email, ident) => {
      const whole = { ident, ident_type: 'priv', ident_country_code: 'EE' };
      return done(client.post('/contacts', newContact({ id, email, ident: whole })));
    },
    changeEmail: (code, email) => done(client.put(`/contacts/${code}`, { contact: { email } })),
    deleteContact: (code) => done(client.delete(`/contacts/${code}`)),
    createDomain: ({ name, registrant, admin, tech, nameservers, code }) =>
      done(
        client.post('/domains', {
          domain: {
            name,
            registrant,
            admin_contacts: [admin],
            tech_contacts: [tech],
            period: 1,
            period_unit: 'y',
            transfer_code: code,
            nameservers_attributes: hosts(...nameservers),
          },
        }),
      ),
    addNameserver: (name, hostname) =>
      done(client.post(`/domains/${name}/nameservers`, { nameservers: hosts(hostname) })),
    hold: (name) => done(client.put(`/domains/${name}/statuses/clientHold`)),
    release: (name) => done(client.delete(`/domains/${name}/statuses/clientHold`)),
    changeCode: (name, code) => done(client.put(`/domains/${name}`, { domain: { transfer_code: code } })),
    readCode: async (name) => (await read(name)).transfer_code,
    renew: async (name) => {
      const { expire_time } = await read(name);
      const renews = { period: 1, period_unit: 'y', exp_date: expire_time.slice(0, 10) };
      return done(client.post(`/domains/${name}/renew`, { renews }));
    },
    askForRegistrant: async (name, code) =>
      ids(await done(client.put(`/domains/${name}`, { domain: { registrant: { code } } }))),
    askForDeletion: async (name) =>
      ids(await done(client.delete(`/domains/${name}`, { domain: { delete: { verified: false } } }))),
    transfer: (name, code) =>
      done(client.post(`/domains/${name}/transfer`, { transfer: { transfer_code: code } })),
    takeMessage: async () => {
      const { id, text } = (await done(client.get('/registrar/notifications'))).body.data;
      await done(client.put(`/registrar/notifications/${id}`, { notification: { read: true } }));
      return { text };
    },
  };
}

const ietf = objectCommands('ietf');
const ee = objectCommands('ee');

/** In both dialects. Each command has a transaction id of its own, which is passed to `sent`. */
export function throughEpp(client: EppClient, sent: (clTRID: string) => void): RegistrarInterface {
  let commands = 0;
  const send = async (code: number, command: EppCommand, ...extensions: string[]): Promise<EppAnswer> => {
    const clTRID = `STORY-${++commands}-${Math.random().toString(36).slice(2)}`;
    sent(clTRID);
    const answer = await client.send(envelope(command, extensions, clTRID));
    expect([answer.code, answer.clTRID], answer.frame).toEqual([code, clTRID]);
    return answer;
  };
  const ids = ({ clTRID, svTRID = '' }: EppAnswer): Ids => ({ client: clTRID, server: svTRID });
  const read = (name: string) => send(1000, ee.domain.info(name));
  return {
    createContact: (id, email, ident) =>
      send(
        1000,
        ee.contact.create(id, { name: 'Mari Maasikas', voice: PHONE, email }),
        eis({ ident: { type: 'priv', cc: 'EE', code: ident } }),
      ),
    changeEmail: (code, email) => send(1000, ietf.contact.update(code, { chg: { email } })),
    deleteContact: (code) => send(1000, ietf.contact.delete(code)),
    createDomain: ({ name, registrant, admin, tech, nameservers, code }) =>
      send(
        1000,
        ietf.domain.create({
          name,
          period: '1y',
          nameservers,
          registrant,
          code,
          contacts: [
            { type: 'admin', id: admin },
            { type: 'tech', id: tech },
          ],
        }),
      ),
    addNameserver: (name, hostname) =>
      send(1000, ietf.domain.update(name, { add: { nameservers: [hostname] } })),
    hold: (name) => send(1000, ee.domain.update(name, { add: { statuses: ['clientHold'] } })),
    release: (name) => send(1000, ietf.domain.update(name, { rem: { statuses: ['clientHold'] } })),
    changeCode: (name, code) => send(1000, ietf.domain.update(name, { code })),
    readCode: async (name) => (await read(name)).text('authInfo/pw') ?? '',
    renew: async (name) => {
      const expiry = (await read(name)).text('infData/exDate') ?? '';
      return send(1000, ee.domain.renew(name, expiry.slice(0, 10), '1y'));
    },
    askForRegistrant: async (name, code) =>
      ids(await send(1001, ietf.domain.update(name, { registrant: code }))),
    askForDeletion: async (name) => ids(await send(1001, ietf.domain.delete(name))),
    transfer: (name, code) => send(1000, ietf.domain.transfer('request', name, { code })),
    takeMessage: async () => {
      const message = await send(1301, poll.request);
      await send(1000, poll.acknowledge(message.attribute('msgQ', 'id') ?? ''));
      const server = message.text('paTRID/svTRID');
      return {
        text: message.text('msgQ/msg') ?? '',
        ...(server !== undefined && { pendingAction: { client: message.text('paTRID/clTRID'), server } }),
      };
    },
  };
}

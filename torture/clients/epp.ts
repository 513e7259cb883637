import { eis, fee, poll } from '../../test/support/epp-frames.ts';
import { type Dialect, objectCommands } from '../../test/support/epp-objects.ts';
import { Chance } from '../chance.ts';
import { EppLine, type EppReply } from '../epp-line.ts';
import type { Effect } from '../journal.ts';
import type { Registrar, World } from '../world.ts';
import { type Action, live, type Parts } from './client.ts';

const HOSTS = ['ns1.torture.example', 'ns2.torture.example', 'ns3.torture.example', 'ns4.torture.example'];
const IDENT = { type: 'priv', cc: 'EE', code: '60001019906' };
const ADDRESS = { city: 'Tallinn', cc: 'EE' };
/** The price of a year, and a wrong one. */
const [PRICE, OTHER_PRICE] = ['9.00', '1.00'];
/** The shortest that the policy takes. */
const DOCUMENT = Buffer.alloc(3_160, 'a document').toString('base64');
const ABSENT = 2303;

/** A registrar's program that speaks one dialect of EPP: contacts, domains, transfers, messages. */
export async function runEppClient(
  world: World,
  registrar: Registrar,
  dialect: Dialect & ('ietf' | 'ee'),
): Promise<void> {
  const who = `${registrar.code}-epp-${dialect}`;
  const line = new EppLine(world, who, registrar.user, Chance.of(world.seed, `${who}-line`));
  const objects = objectCommands(dialect);
  const nameOf = ({ chance }: Parts) => world.name(chance);
  const contactOf = ({ chance }: Parts) => world.contact(registrar, chance);
  const hostOf = ({ chance }: Parts) => chance.oneOf(HOSTS) ?? '';

  /** Sends it, and records what must be in history once it is acknowledged. */
  async function want(
    what: string,
    command: Parameters<EppLine['want']>[1],
    promised: readonly Effect[] = [],
    ...extensions: readonly string[]
  ): Promise<EppReply | undefined> {
    const { intent, reply } = await line.want(what, command, ...extensions);
    if (reply === undefined || reply.answer.code >= 2000) return undefined;
    // 1001: the registrant is asked first.
    if (reply.answer.code === 1000) world.journal.promised.set(intent, promised);
    return reply;
  }

  /** Reads are recorded, to be compared with the state at that time. */
  async function readDomain(name: string) {
    const reply = await line.look(objects.domain.info(name));
    if (!reply) return undefined;
    const { answer, sentAt, endedAt } = reply;
    const [registrant, expireTime] = [answer.text('infData/registrant'), answer.text('infData/exDate')];
    const shown = registrant && expireTime ? { registrant, expireTime } : undefined;
    if (shown || answer.code === ABSENT)
      world.journal.domainReads.push({ seen: { name, shown }, sentAt, endedAt });
    return { expireTime, code: answer.text('authInfo/pw') };
  }

  const actions = {
    async createContact(parts: Parts) {
      const id = contactOf(parts);
      const fields = { name: 'Mari Maasikas', voice: '+372.5551234', email: 'mari@example.ee' };
      const whole = dialect === 'ietf' ? { ...fields, address: ADDRESS, code: '' } : fields;
      const effect = { operation: 'create', name: id };
      await want('create contact', objects.contact.create(id, whole), [effect], eis({ ident: IDENT }));
    },

    async updateContact(parts: Parts) {
      const id = contactOf(parts);
      const email = `mari${parts.chance.below(1000)}@example.ee`;
      const effect = { operation: 'update', name: id };
      await want('update contact', objects.contact.update(id, { chg: { email } }), [effect]);
    },

    async deleteContact(parts: Parts) {
      const id = contactOf(parts);
      await want('delete contact', objects.contact.delete(id), [{ operation: 'delete', name: id }]);
    },

    async register(parts: Parts) {
      const { chance } = parts;
      const name = nameOf(parts);
      const reservedCode = world.registrationCodes.get(name);
      const hasDocument = chance.happens(0.3);
      const agrees = chance.happens(0.3);
      const command = objects.domain.create({
        name,
        period: '1y',
        registrant: contactOf(parts),
        code: '',
        ...(chance.happens(0.5) && { nameservers: HOSTS.slice(0, 2) }),
        ...(chance.happens(0.5) && { contacts: [{ type: 'tech', id: contactOf(parts) }] }),
      });
      const data = {
        ...(hasDocument && { legalDocument: { type: 'pdf', base64: DOCUMENT } }),
        ...(reservedCode !== undefined && { reservedCode }),
      };
      const reply = await want(
        'register',
        command,
        [{ operation: 'create', name }],
        ...(Object.keys(data).length > 0 ? [eis(data)] : []),
        ...(agrees ? [fee.agreed('create', chance.happens(0.7) ? PRICE : OTHER_PRICE)] : []),
      );
      const { svTRID } = reply?.answer ?? {};
      if (hasDocument && svTRID !== undefined) world.journal.documents.push(svTRID);
    },

    async renew(parts: Parts) {
      const name = nameOf(parts);
      const { expireTime } = (await readDomain(name)) ?? {};
      if (expireTime === undefined) return;
      const period = parts.chance.happens(0.5) ? '3m' : '6m';
      const command = objects.domain.renew(name, expireTime.slice(0, 10), period);
      await want('renew', command, [{ operation: 'renew', name }]);
    },

    /** Also publishes the code to the other clients, like a registrant who wants to transfer. */
    async readDomain(parts: Parts) {
      const name = nameOf(parts);
      const { code } = (await readDomain(name)) ?? {};
      if (code !== undefined && code !== '') world.transferCodes.set(name, code);
    },

    async transfer(parts: Parts) {
      const [name, code] = parts.chance.oneOf([...world.transferCodes]) ?? [];
      if (name === undefined || code === undefined) return;
      world.transferCodes.delete(name);
      const command = objects.domain.transfer('request', name, { code });
      await want('transfer', command, [{ operation: 'transfer', name }]);
    },

    /** Several changes in one command, all or none. */
    async updateDomain(parts: Parts) {
      const { chance } = parts;
      const name = nameOf(parts);
      const [added, removed] = [hostOf(parts), hostOf(parts)];
      const status = { statuses: ['clientHold'] };
      const tech = { contacts: [{ type: 'tech', id: contactOf(parts) }] };
      const changes = {
        add: {
          ...(chance.happens(0.6) && { nameservers: [added] }),
          ...(chance.happens(0.3) && status),
          ...(chance.happens(0.4) && tech),
        },
        rem: {
          ...(chance.happens(0.4) && { nameservers: [removed] }),
          ...(chance.happens(0.2) && status),
        },
        ...(chance.happens(0.1) && { code: `code-${chance.below(1_000_000)}` }),
      };
      const command = objects.domain.update(name, changes);
      await want('update domain', command, [{ operation: recordedAs(changes), name }]);
    },

    async changeRegistrant(parts: Parts) {
      const verified = dialect === 'ee' && parts.chance.happens(0.5) ? { verified: 'yes' } : {};
      const changes = { registrant: contactOf(parts), ...verified };
      await want('change registrant', objects.domain.update(nameOf(parts), changes));
    },

    async deleteDomain(parts: Parts) {
      const verified = dialect === 'ee' && parts.chance.happens(0.5) ? 'yes' : undefined;
      await want('delete domain', objects.domain.delete(nameOf(parts), verified));
    },

    async check(parts: Parts) {
      await line.look(objects.domain.check(nameOf(parts), nameOf(parts), nameOf(parts)));
    },

    async acknowledge() {
      const id = (await line.look(poll.request))?.answer.attribute('msgQ', 'id');
      if (id === undefined) return;
      if (await want('acknowledge', poll.acknowledge(id))) world.journal.acknowledged.add(Number(id));
    },
  } satisfies Record<string, Action>;

  await live(world, who, actions, {
    createContact: 12,
    updateContact: 6,
    deleteContact: 3,
    register: 30,
    renew: 12,
    readDomain: 12,
    transfer: 8,
    updateDomain: 14,
    changeRegistrant: 4,
    deleteDomain: 5,
    check: 3,
    acknowledge: 6,
  });
  line.close();
}

type Changes = { readonly add: object; readonly rem: object; readonly code?: string };

/** What history calls an update: the change of a status alone has a name of its own. */
function recordedAs({ add, rem, code }: Changes): string {
  const changed = [
    ...Object.keys(add).map((part) => `set ${part}`),
    ...Object.keys(rem).map((part) => `remove ${part}`),
  ];
  const [only = ''] = changed;
  const isStatus = changed.length === 1 && only.endsWith('statuses') && code === undefined;
  return isStatus ? only.replace('statuses', 'clientHold') : 'update';
}

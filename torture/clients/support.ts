import { setTimeout as sleep } from 'node:timers/promises';
import { KEY, OTHER_KEY } from '../../test/support/domains.ts';
import { carriedFields, type ConsoleAnswer, ConsoleClient, PEOPLE } from '../../test/support/console.ts';
import { KEY_LASTS_MS } from '../caller.ts';
import type { World } from '../world.ts';
import { type Action, live, type Parts } from './client.ts';

const TIMEOUT_MS = 15_000;
const ATTEMPTS = 8;
const MAX_PAUSE_MS = 2_000;
const DUPLICATES_OF_ALL = 0.2;
const JOB = /^\/console\/jobs\/([0-9a-f-]{36})$/;

/** Support staff of a registrar in the console: changes of many domains, stopped and resumed, and sent again. */
export function runSupport(world: World, person: 'alpha' | 'beta'): Promise<void> {
  const own: string[] = [];

  /** A page or a form through whatever happens; undefined where it was not answered. */
  async function ask(
    client: ConsoleClient,
    send: (client: ConsoleClient) => Promise<ConsoleAnswer>,
  ): Promise<ConsoleAnswer | undefined> {
    const answer = await send(client).catch(() => undefined);
    if (answer?.status === 500) world.journal.complain('an answer of 500', 'the console', answer.text);
    if (answer?.to?.startsWith('/console/login'))
      await client.logIn(...PEOPLE[person]).catch(() => undefined);
    return answer && answer.status < 500 ? answer : undefined;
  }

  let client: ConsoleClient | undefined;
  const consoleOf = ({ chance }: Parts) =>
    (client ??= new ConsoleClient(() => world.place.node(chance).url, TIMEOUT_MS));

  const contactOf = ({ chance }: Parts) => world.contact({ code: person.toUpperCase() }, chance);

  /** Begins a job, and sends its form again until it is answered: it is one job however often it is sent. */
  async function begin(parts: Parts, path: string, fields: Readonly<Record<string, string>>): Promise<void> {
    const { chance } = parts;
    const names = Array.from({ length: 1 + chance.below(40) }, () => world.name(chance)).join('\n');
    await confirm(parts, path, { names, ...fields, step: 'preview' });
  }

  async function confirm(
    parts: Parts,
    path: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<void> {
    const isTwice = parts.chance.happens(DUPLICATES_OF_ALL);
    const staff = consoleOf(parts);
    const shown = await ask(staff, (one) => one.post(path, fields));
    if (shown?.status !== 200) return;
    const carried: Record<string, string> = { ...carriedFields(shown.text), step: 'confirm' };
    // Nothing could be changed.
    if (!('key' in carried)) return;
    const begun = world.journal.beginBulkJob();
    const before = world.jumpedMs;
    let sent = 0;
    for (let attempt = 1; attempt <= ATTEMPTS && !world.ended; attempt++) {
      const copies = isTwice && attempt === 1 ? 2 : 1;
      sent += copies;
      const answers = await Promise.all(
        Array.from({ length: copies }, () => ask(staff, (one) => one.post(path, carried))),
      );
      for (const answer of answers) {
        const [, id] = JOB.exec(answer?.to ?? '') ?? [];
        if (id !== undefined) begun.ids.add(id);
      }
      if (answers.some((answer) => answer && !answer.to?.startsWith('/console/login'))) break;
      await sleep(Math.min(MAX_PAUSE_MS, 100 * 2 ** attempt));
    }
    if (world.jumpedMs - before > KEY_LASTS_MS) begun.most = sent;
    own.push(...begun.ids);
  }

  const press = (what: 'stop' | 'resume') => async (parts: Parts) => {
    const id = parts.chance.oneOf(own.slice(-5));
    if (id !== undefined) await ask(consoleOf(parts), (one) => one.post(`/console/jobs/${id}/${what}`, {}));
  };

  const actions = {
    renew: (parts) =>
      begin(parts, '/console/bulk/renew', { period: parts.chance.happens(0.5) ? '3m' : '6m' }),
    periods({ chance, ...parts }) {
      const lines = Array.from(
        { length: 20 },
        () => `${world.name(chance)},${chance.oneOf(['3m', '6m', '9m'])}`,
      );
      return begin({ chance, ...parts }, '/console/bulk/renew', { period: '3m', names: lines.join('\n') });
    },
    contacts(parts) {
      const how = parts.chance.oneOf(['set', 'replace', 'add', 'remove']) ?? 'set';
      const [contacts, current] = [contactOf(parts), contactOf(parts)];
      const role = parts.chance.happens(0.5) ? 'admin' : 'tech';
      return begin(parts, '/console/bulk/contacts', { role, how, contacts, current });
    },
    keys(parts) {
      const { flags, protocol, alg, public_key: key } = parts.chance.happens(0.5) ? KEY : OTHER_KEY;
      const how = parts.chance.oneOf(['add', 'set', 'remove']) ?? 'add';
      return begin(parts, '/console/bulk/keys', { how, keys: `${flags} ${protocol} ${alg} ${key}` });
    },
    registrant: (parts) =>
      begin(parts, '/console/bulk/registrant', {
        registrant: contactOf(parts),
        verified: parts.chance.happens(0.5) ? 'yes' : '',
      }),
    async undo(parts) {
      const job = parts.chance.oneOf(own.slice(-10));
      if (job !== undefined) await confirm(parts, '/console/bulk/undo', { step: 'back', job });
    },
    hold: (parts) =>
      begin(parts, '/console/bulk/hold', { change: parts.chance.happens(0.5) ? 'hold' : 'release' }),
    nameservers: (parts) => {
      const hosts = parts.chance.happens(0.5) ? ['ns1', 'ns2'] : ['ns3', 'ns4'];
      const nameservers = hosts.map((host) => `${host}.torture.example`).join('\n');
      return begin(parts, '/console/bulk/nameservers', { how: 'set', nameservers });
    },
    stop: press('stop'),
    resume: press('resume'),
    async look(parts) {
      const id = parts.chance.oneOf(own);
      if (id !== undefined) await ask(consoleOf(parts), (one) => one.get(`/console/jobs/${id}/result.csv`));
    },
  } satisfies Record<string, Action>;

  return live(world, `support of ${person}`, actions, {
    renew: 4,
    periods: 2,
    hold: 4,
    nameservers: 4,
    contacts: 3,
    keys: 3,
    registrant: 2,
    undo: 4,
    stop: 2,
    resume: 3,
    look: 2,
  });
}

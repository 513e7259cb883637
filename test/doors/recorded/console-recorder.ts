import type { Pool } from '../../../src/platform/sql/executor.ts';
import { type ConsoleAnswer, ConsoleClient, loggedIn } from '../../support/console.ts';
import { formFields, unescapeHtml } from '../../support/console-forms.ts';
import type { TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { Recording, withoutRuns } from './recording.ts';

type Fields = Readonly<Record<string, string>>;
type Place = {
  readonly history: number;
  readonly entries: number;
  readonly messages: number;
  readonly mails: number;
};

/** The hidden fields of a form for its next step. */
const carriedFields = (text: string): Fields =>
  Object.fromEntries(
    Array.from(
      text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g),
      ([, name = '', value = '']) => [name, unescapeHtml(value)],
    ),
  );

/**
 * Fills in forms as people do and records statuses, redirects, what is said to be wrong, at which field, and what was
 * stored; the pages themselves are not compared.
 */
export class ConsoleRecorder {
  readonly #registry: TestRegistry;
  readonly #recording = new Recording();
  readonly #clients = new Map<string, ConsoleClient>();

  constructor(registry: TestRegistry) {
    this.#registry = registry;
  }

  get text(): string {
    return this.#recording.text;
  }

  get count(): number {
    return this.#recording.count;
  }

  async logIn(person: 'alpha' | 'reader' | 'beta'): Promise<void> {
    this.#clients.set(person, await loggedIn(this.#registry.url, person));
  }

  /** What the first group of a pattern is on a page, such as an id. */
  async find(person: string, path: string, pattern: RegExp): Promise<string> {
    const { text } = await this.#clientOf(person).get(`/console${path}`);
    return pattern.exec(text)?.[1] ?? '';
  }

  /** One request with these fields; an empty header is not sent. */
  post(person: string, path: string, fields: Fields = {}, headers: Fields = {}): Promise<ConsoleAnswer> {
    return this.#record(person, path, fields, async (client, steps) => {
      const answer = await client.post(`/console${path}`, fields, headers);
      steps.push(...Object.entries(headers).map(([name, value]) => `> ${name}: ${value}`));
      steps.push(...outcomeOf(answer));
      return answer;
    });
  }

  /** A try that is not recorded. */
  async guessTransferCode(person: string, name: string, transferCode: string): Promise<void> {
    await this.#clientOf(person).post('/console/domains/transfer', { name, transferCode, step: 'preview' });
  }

  /** Opens a form, fills it in, and confirms its preview if that is not refused. */
  fill(person: string, path: string, filled: Fields = {}): Promise<ConsoleAnswer> {
    return this.#record(person, path, filled, async (client, steps) => {
      const form = await client.get(`/console${path}`);
      steps.push(...outcomeOf(form, 'form'));
      if (form.status !== 200) return form;
      const [address = ''] = `/console${path}`.split('?', 1);
      const shown = await client.post(address, { ...formFields(form.text), ...filled, step: 'preview' });
      steps.push(...outcomeOf(shown, 'preview'));
      if (shown.status !== 200) return shown;
      const done = await client.post(address, { ...formFields(shown.text), step: 'confirm' });
      steps.push(...outcomeOf(done, 'confirmation'));
      return done;
    });
  }

  /** Opens a form that asks once, and confirms it. */
  confirm(person: string, path: string, filled: Fields = {}): Promise<ConsoleAnswer> {
    return this.#record(person, path, filled, async (client, steps) => {
      const form = await client.get(`/console${path}`);
      steps.push(...outcomeOf(form, 'form'));
      if (form.status !== 200) return form;
      const fields = { ...formFields(form.text), ...filled, step: 'confirm' };
      const done = await client.post(`/console${path}`, fields);
      steps.push(...outcomeOf(done, 'confirmation'));
      return done;
    });
  }

  /** A change of many domains: the list, what is offered, the job. */
  fillBulk(person: string, path: string, filled: Fields): Promise<ConsoleAnswer> {
    return this.#record(person, path, filled, async (client, steps) => {
      const address = `/console${path}`;
      const shown = await client.post(address, { ...filled, step: 'preview' });
      steps.push(...outcomeOf(shown, 'preview'));
      const offered = Array.from(
        shown.text.matchAll(/name="skip" value="([^"]*)"/g),
        ([, name = '']) => name,
      );
      if (shown.status !== 200) return shown;
      steps.push(`offered ${offered.join(' ') || 'nothing'}`);
      if (offered.length === 0) return shown;
      const done = await client.post(address, { ...carriedFields(shown.text), step: 'confirm' });
      steps.push(...outcomeOf(done, 'confirmation'));
      return done;
    });
  }

  #clientOf(person: string): ConsoleClient {
    return this.#clients.get(person) ?? new ConsoleClient(this.#registry.url);
  }

  async #record(
    person: string,
    path: string,
    fields: Fields,
    work: (client: ConsoleClient, steps: string[]) => Promise<ConsoleAnswer>,
  ): Promise<ConsoleAnswer> {
    const client = this.#clientOf(person);
    const before = await placeIn(this.#registry.sql);
    const steps: string[] = [];
    const answer = await work(client, steps);
    this.#recording.add([
      `### ${person}: /console${path}`,
      ...Object.entries(fields).map(([name, value]) => `> ${name}=${JSON.stringify(withoutRuns(value))}`),
      ...steps,
      ...(await effectsSince(this.#registry.sql, before)),
    ]);
    return answer;
  }
}

/** The status, where a redirect leads, and what is wrong, by its field. */
function outcomeOf({ status, to, text }: ConsoleAnswer, step?: string): string[] {
  const title = [step, status, to].filter((each) => each !== undefined && each !== null).join(' ');
  return [title, ...faultsIn(text).map((fault) => `  ${fault}`), ...leftOutIn(text)];
}

/** The faults beside fields, then those of the whole form. A list of links to fields repeats the former. */
function faultsIn(text: string): string[] {
  const ofFields = Array.from(
    text.matchAll(/<p class="fault" id="([\w-]+)-fault">(.*?)<\/p>/gs),
    ([, name = '', fault = '']) => `${name}: ${unescapeHtml(fault)}`,
  );
  const others = Array.from(
    text.matchAll(/<(p|div) class="outcome failed" role="alert">(.*?)<\/\1>\n/gs),
    ([, , block = '']) => block,
  ).filter((block) => !block.includes('<a href="#'));
  return [...ofFields, ...others.map((block) => `form: ${textOf(block)}`)];
}

const textOf = (markup: string): string =>
  unescapeHtml(markup.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();

/** The domains that a change of many leaves out, with the reasons. */
function leftOutIn(text: string): string[] {
  const { leftOut = '' } = carriedFields(text);
  return leftOut === ''
    ? []
    : leftOut
        .trim()
        .split('\n')
        .map((line) => `  left out: ${line}`);
}

const placeIn = (db: Pool): Promise<Place> =>
  db.one(sql<Place>`
    select (select coalesce(max(id), 0) from history) as history, (select coalesce(max(id), 0) from ledger_entries) as entries,
      (select coalesce(max(id), 0) from poll_messages) as messages, (select coalesce(max(id), 0) from mails) as mails`);

/** The rows that were written since, one to a line. */
async function effectsSince(db: Pool, place: Place): Promise<string[]> {
  const rows: readonly (readonly [string, readonly object[]])[] = [
    [
      'history',
      await db.rows(sql`
        select object_kind as kind, object_name as name, operation, (select code from registrars r where r.id = registrar_id) as registrar,
          actor, reason, before, after
        from history where id > ${place.history} order by id`),
    ],
    [
      'ledger',
      await db.rows(sql`
        select d.kind as debit, c.kind as credit, e.amount::text, e.operation, e.description, e.balance_after::text as balance, e.actor, e.reason
        from ledger_entries e join ledger_accounts d on d.id = e.debit_account join ledger_accounts c on c.id = e.credit_account
        where e.id > ${place.entries} order by e.id`),
    ],
    [
      'message',
      await db.rows(sql`
        select (select code from registrars r where r.id = registrar_id) as registrar, type, text, details
        from poll_messages where id > ${place.messages} order by id`),
    ],
    ['mail', await db.rows(sql`select recipient, subject from mails where id > ${place.mails} order by id`)],
  ];
  return rows.flatMap(([kind, list]) => list.map((row) => `${kind} ${JSON.stringify(row)}`));
}

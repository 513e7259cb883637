import type { CheckedName, DryRun } from 'cadastre-sdk';
import { argument, type Command, type Context, given, parsePeriod, UsageError } from '../command.ts';
import { KEY_OPTION, NAMESERVER_OPTION, parseKey, parseNameserver } from '../domain-parts.ts';
import { askAllHidden, askHidden } from '../password.ts';

const SORTS = ['name', 'created_at', 'expire_time', '-name', '-created_at', '-expire_time'] as const;

/** What one call takes. */
const MAX_CHECKED = 100;

function priceOf({ prices }: CheckedName, wanted: ReturnType<typeof parsePeriod>): string {
  const found = prices.find(
    ({ operation, period, period_unit: unit }) =>
      operation === 'create' && period === wanted.period && unit === wanted.period_unit,
  );
  return found ? `${found.price} ${found.currency}` : 'no price';
}

export const REFERENCE_OPTION = { value: 'TEXT', description: 'your own note, which nobody else sees' };

const PRICE_OPTION = { value: 'AMOUNT', description: 'what you expect it to cost; another price is refused' };

/** The order that `--sort` asks for, one of those that a list has. */
export function sortIn<Sort extends string>(context: Context, sorts: readonly Sort[]): Sort | undefined {
  const text = context.text('sort');
  const sort = sorts.find((known) => known === text);
  if (text !== undefined && sort === undefined)
    throw new UsageError(`--sort takes one of ${sorts.join(', ')}`);
  return sort;
}

/** The code of a reserved name and the transfer code that a new domain shall have, as far as they are wanted. */
async function codesIn(context: Context): Promise<readonly [string | undefined, string | undefined]> {
  const [isReserved, isChosen] = [context.flag('reserved'), context.flag('transfer-code')];
  const questions = [...(isReserved ? ['Code: '] : []), ...(isChosen ? ['New transfer code: '] : [])];
  if (questions.length === 0) return [undefined, undefined];
  const answers = await askAllHidden(context.environment, questions);
  const next = () => answers.shift() ?? '';
  return [isReserved ? next() : undefined, isChosen ? next() : undefined];
}

export const domainCommands: readonly Command[] = [
  {
    name: 'domain list',
    summary: 'Your domains, with expiry and statuses',
    options: {
      query: { value: 'TEXT', description: 'only names that begin like this' },
      contact: { value: 'CODE', description: 'only domains of this contact' },
      'updated-since': {
        value: 'TIME',
        description: 'only those changed since then, such as 2026-11-15T10:00:00Z',
      },
      'expires-before': { value: 'TIME', description: 'only those that expire before that time' },
      sort: { value: 'COLUMN', description: `one of ${SORTS.join(', ')}` },
    },
    async run(context) {
      const [q, contact, sort] = [context.text('query'), context.text('contact'), sortIn(context, SORTS)];
      const registry = await context.registry();
      const times = {
        updated_since: context.text('updated-since'),
        expires_before: context.text('expires-before'),
      };
      for await (const domain of registry.domains.list({ details: true, q, contact, ...times, sort }))
        context.printer.row(domain, {
          Name: domain.name,
          Expires: domain.expire_time.slice(0, 10),
          Statuses: Object.keys(domain.statuses).join(' '),
        });
    },
  },
  {
    name: 'domain show',
    parameters: 'NAME',
    summary: 'One domain',
    async run(context) {
      const { data } = await (await context.registry()).domains.read(argument(context));
      context.printer.object(data.domain);
    },
  },
  {
    name: 'domain history',
    parameters: 'NAME',
    summary: 'What happened to a domain while it was yours, newest first',
    async run(context) {
      for await (const entry of (await context.registry()).domains.history(argument(context)))
        context.printer.row(entry, {
          At: entry.at,
          Operation: entry.operation,
          By: entry.user ?? entry.by,
          Charged: entry.charged ?? '',
          Changed: entry.changed.join(', '),
        });
    },
  },
  {
    name: 'domain check',
    parameters: 'NAME…',
    summary: 'Whether names can be registered, and for how much',
    options: { period: { value: 'PERIOD', description: 'of which the price is told; 1y' } },
    async run(context) {
      const wanted = parsePeriod(context.text('period') ?? '1y');
      const registry = await context.registry();
      for (let first = 0; first < context.args.length; first += MAX_CHECKED) {
        const names = context.args.slice(first, first + MAX_CHECKED);
        for (const checked of (await registry.domains.checkMany(names)).data.domains)
          context.printer.row(checked, {
            Name: checked.name,
            Answer: checked.available ? 'available' : (checked.reason ?? 'taken'),
            Price: checked.available ? priceOf(checked, wanted) : '',
          });
      }
    },
  },
  {
    name: 'domain create',
    parameters: 'NAME',
    summary: 'Registers a domain',
    changes: true,
    options: {
      registrant: { value: 'CODE', description: 'contact code of the registrant' },
      period: { value: 'PERIOD', description: '1y, 3m and so on' },
      admin: { value: 'CODE', multiple: true, description: 'admin contact' },
      tech: { value: 'CODE', multiple: true, description: 'tech contact' },
      price: PRICE_OPTION,
      reference: REFERENCE_OPTION,
      nameserver: NAMESERVER_OPTION,
      dnskey: KEY_OPTION,
      reserved: { description: 'the name is reserved: its code is read from the terminal or the input' },
      'transfer-code': {
        description: 'its transfer code is read from there too, after that; else it is random',
      },
    },
    async run(context) {
      const [code, transferCode] = await codesIn(context);
      const order = {
        name: argument(context),
        registrant: context.requireText('registrant'),
        ...parsePeriod(context.text('period') ?? '1y'),
        expected_price: context.text('price'),
        reference: context.text('reference'),
        admin_contacts: given(context.texts('admin')),
        tech_contacts: given(context.texts('tech')),
        nameservers_attributes: given(context.texts('nameserver').map(parseNameserver)),
        dnskeys_attributes: given(context.texts('dnskey').map(parseKey)),
        reserved_pw: code,
        transfer_code: transferCode,
      };
      const { data, meta } = await (await context.registry()).domains.create(order, context.change);
      const before = meta.isReplay ? ', as before' : '';
      reportChange(context, data, `${data.domain.name} is registered${before}${outcomeOf(data)}`);
    },
  },
  {
    name: 'domain renew',
    parameters: 'NAME',
    summary: 'Renews a domain from its present expiry',
    changes: true,
    options: {
      period: { value: 'PERIOD', description: '1y, 3m and so on' },
      price: PRICE_OPTION,
      expires: {
        value: 'DAY',
        description: 'its present expiry, so that a repetition renews nothing; else it is read',
      },
    },
    async run(context) {
      const [name, registry] = [argument(context), await context.registry()];
      const expiry =
        context.text('expires') ?? (await registry.domains.read(name)).data.domain.expire_time.slice(0, 10);
      const renewal = {
        ...parsePeriod(context.text('period') ?? '1y'),
        exp_date: expiry,
        expected_price: context.text('price'),
      };
      const { data } = await registry.domains.renew(name, renewal, context.change);
      reportChange(context, data, `${data.domain.name} is renewed${outcomeOf(data)}`);
    },
  },
  {
    name: 'domain transfer',
    parameters: 'NAME',
    summary: 'Takes a domain over; its transfer code is read from the terminal or the input',
    changes: true,
    options: { price: PRICE_OPTION },
    async run(context) {
      const registry = await context.registry();
      const code = await askHidden(context.environment, 'Transfer code: ');
      const { data } = await registry.transfers.transfer(
        argument(context),
        { transfer_code: code, expected_price: context.text('price') },
        context.change,
      );
      reportChange(context, data, `${data.domain.name} is yours${outcomeOf(data)}`);
    },
  },
  {
    name: 'domain delete',
    parameters: 'NAME',
    summary: 'Deletes a domain',
    changes: true,
    options: {
      verified: { description: 'you vouch for the consent of the registrant' },
      'transfer-code': {
        description: 'its transfer code, which is read from the terminal or the input, must be right',
      },
    },
    async run(context) {
      const [verified, registry] = [context.flag('verified'), await context.registry()];
      const authCode = context.flag('transfer-code')
        ? await askHidden(context.environment, 'Transfer code: ')
        : undefined;
      const { data } = await registry.domains.delete(
        argument(context),
        { verified },
        { ...context.change, authCode },
      );
      const outcome = data.domain.pending ? 'waits for its registrant' : 'is deleted';
      reportChange(context, data, `${data.domain.name} ${outcome}`);
    },
  },
];

/** Until when a domain is registered, and for how much. */
const outcomeOf = ({ domain, charged }: { domain: { expire_time: string }; charged: string }): string =>
  ` until ${domain.expire_time.slice(0, 10)}, charged ${charged}`;

/** A change that was made, or what a dry run tells of it. */
export function reportChange(
  context: Context,
  data: object & { readonly dry_run?: DryRun },
  sentence: string,
): void {
  const { dry_run: dryRun } = data;
  const shown = dryRun && `possible; costs ${dryRun.price}, leaves ${dryRun.balance_after}`;
  context.printer.item(data, shown ?? sentence);
}

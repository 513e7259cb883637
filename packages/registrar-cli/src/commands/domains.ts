import { argument, type Command, type Context, parsePeriod, UsageError } from '../command.ts';
import { askHidden } from '../password.ts';

const SORTS = ['name', 'created_at', 'expire_time', '-name', '-created_at', '-expire_time'] as const;

function sortOf(context: Context): (typeof SORTS)[number] | undefined {
  const text = context.text('sort');
  const sort = SORTS.find((known) => known === text);
  if (text !== undefined && sort === undefined)
    throw new UsageError(`--sort takes one of ${SORTS.join(', ')}`);
  return sort;
}

export const domainCommands: readonly Command[] = [
  {
    name: 'domain list',
    summary: 'Your domains, with expiry and statuses',
    options: {
      query: { value: 'TEXT', description: 'only names that begin like this' },
      contact: { value: 'CODE', description: 'only domains of this contact' },
      sort: { value: 'COLUMN', description: `one of ${SORTS.join(', ')}` },
    },
    async run(context) {
      const [q, contact, sort] = [context.text('query'), context.text('contact'), sortOf(context)];
      const registry = await context.registry();
      for await (const domain of registry.domains.list({ details: true, q, contact, sort }))
        context.printer.item(
          domain,
          domain.name,
          domain.expire_time.slice(0, 10),
          Object.keys(domain.statuses).join(' '),
        );
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
    name: 'domain check',
    parameters: 'NAME…',
    summary: 'Whether names can be registered',
    async run(context) {
      const registry = await context.registry();
      for (const name of context.args) {
        const { domain } = (await registry.domains.check(name)).data;
        context.printer.item(
          domain,
          domain.name,
          domain.available ? 'available' : (domain.reason ?? 'taken'),
        );
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
      nameserver: { value: 'HOST', multiple: true, description: 'nameserver that needs no address' },
    },
    async run(context) {
      const order = {
        name: argument(context),
        registrant: context.requireText('registrant'),
        ...parsePeriod(context.text('period') ?? '1y'),
        admin_contacts: given(context.texts('admin')),
        tech_contacts: given(context.texts('tech')),
        nameservers_attributes: given(context.texts('nameserver').map((hostname) => ({ hostname }))),
      };
      const { data, meta } = await (await context.registry()).domains.create(order, context.change);
      reportChange(context, data, `${data.domain.name} is registered${meta.isReplay ? ', as before' : ''}`);
    },
  },
  {
    name: 'domain renew',
    parameters: 'NAME',
    summary: 'Renews a domain from its present expiry',
    changes: true,
    options: {
      period: { value: 'PERIOD', description: '1y, 3m and so on' },
      expires: {
        value: 'DAY',
        description: 'its present expiry, so that a repetition renews nothing; else it is read',
      },
    },
    async run(context) {
      const [name, registry] = [argument(context), await context.registry()];
      const expiry =
        context.text('expires') ?? (await registry.domains.read(name)).data.domain.expire_time.slice(0, 10);
      const renewal = { ...parsePeriod(context.text('period') ?? '1y'), exp_date: expiry };
      const { data } = await registry.domains.renew(name, renewal, context.change);
      reportChange(context, data, `${data.domain.name} is renewed`);
    },
  },
  {
    name: 'domain transfer',
    parameters: 'NAME',
    summary: 'Takes a domain over; its transfer code is read from the terminal or the input',
    changes: true,
    async run(context) {
      const registry = await context.registry();
      const code = await askHidden(context.environment, 'Transfer code: ');
      const { data } = await registry.transfers.transfer(
        argument(context),
        { transfer_code: code },
        context.change,
      );
      reportChange(context, data, `${data.domain.name} is yours`);
    },
  },
  {
    name: 'domain delete',
    parameters: 'NAME',
    summary: 'Deletes a domain',
    changes: true,
    options: { verified: { description: 'you vouch for the consent of the registrant' } },
    async run(context) {
      const verified = context.flag('verified');
      const { data } = await (await context.registry()).domains.delete(
        argument(context),
        { verified },
        context.change,
      );
      const outcome = data.domain.pending ? 'waits for its registrant' : 'is deleted';
      reportChange(context, data, `${data.domain.name} ${outcome}`);
    },
  },
];

const given = <T>(items: readonly T[]): readonly T[] | undefined => (items.length > 0 ? items : undefined);

/** A change that was made, or what a dry run tells of it. */
export function reportChange(context: Context, data: object, sentence: string): void {
  const dryRun = 'dry_run' in data ? (data.dry_run as { price: string; balance_after: string }) : undefined;
  const shown = dryRun && `possible; costs ${dryRun.price}, leaves ${dryRun.balance_after}`;
  context.printer.item(data, shown ?? sentence);
}

import { type Command, type Context, parsePeriod, UsageError } from '../command.ts';
import { parseNameserver } from '../domain-parts.ts';
import { inOrder, readRows } from '../ordered-rows.ts';

/** Calls of this size show progress, and are repeated in little pieces. */
const BATCH_SIZE = 100;

export const bulkCommands: readonly Command[] = [
  {
    name: 'bulk register',
    parameters: 'FILE',
    summary: 'Registers the domains of a CSV file: columns Domain, Registrant, Period',
    changes: true,
    async run(context) {
      const { rows, keyPrefix } = await readRows(context, ['domain', 'registrant']);
      const registry = await context.registry();
      await inOrder(context, rows, 1, async ([row]) => {
        const [name = '', registrant = ''] = [row?.domain, row?.registrant];
        const order = { name, registrant, ...parsePeriod(row?.period || '1y') };
        const result = await registry.domains
          .create(order, { ...context.change, key: `${keyPrefix}-${name}` })
          .result();
        const failure = result.ok ? undefined : result.refusal.message;
        return { domains: [{ domain: name, failure }], dryRun: result.ok ? result.data.dry_run : undefined };
      });
    },
  },
  {
    name: 'bulk renew',
    parameters: 'FILE',
    summary: 'Renews the domains of a CSV file, 100 at a time and these all or none: column Domain',
    changes: true,
    options: {
      period: { value: 'PERIOD', description: '1y, 3m and so on' },
      price: {
        value: 'AMOUNT',
        description: `what up to ${BATCH_SIZE} domains cost together; another price is refused`,
      },
    },
    async run(context) {
      const { rows, keyPrefix } = await readRows(context, ['domain']);
      const price = context.text('price');
      if (price !== undefined && rows.length > BATCH_SIZE)
        throw new UsageError(`--price takes a file of up to ${BATCH_SIZE} domains`);
      const registry = await context.registry();
      const period = context.text('period') ?? '1y';
      parsePeriod(period);
      await inOrder(context, rows, BATCH_SIZE, async (batch, first) => {
        const names = batch.map(({ domain = '' }) => domain);
        const order = { domains: names, renew_period: period, expected_price: price };
        const result = await registry.bulk
          .renew(order, { ...context.change, key: `${keyPrefix}-${period}-${first}` })
          .result();
        const failure = result.ok ? undefined : result.refusal.message;
        return {
          domains: names.map((domain) => ({ domain, failure })),
          dryRun: result.ok ? result.data.dry_run : undefined,
        };
      });
    },
  },
  {
    name: 'bulk transfer',
    parameters: 'FILE',
    summary: 'Takes over the domains of a CSV file: columns Domain, Transfer code',
    changes: true,
    async run(context) {
      const { rows, keyPrefix } = await readRows(context, ['domain', 'transfer code']);
      const registry = await context.registry();
      await inOrder(context, rows, BATCH_SIZE, async (batch, first) => {
        const wanted = batch.map((row) => ({
          domain_name: row.domain ?? '',
          transfer_code: row['transfer code'] ?? '',
        }));
        const { data } = await registry.bulk.transfer(wanted, {
          ...context.change,
          key: `${keyPrefix}-${first}`,
        });
        return {
          domains: [
            ...data.success.map(({ domain_name }) => ({ domain: domain_name, failure: undefined })),
            ...data.failed.map(({ domain_name, errors }) => ({ domain: domain_name, failure: errors.msg })),
          ],
          dryRun: data.dry_run,
        };
      });
    },
  },
  {
    name: 'bulk replace-contact',
    parameters: 'CODE NEW',
    summary: 'Puts another tech contact in the place of one, on all domains that have it',
    changes: true,
    async run(context) {
      const [current = '', other = ''] = context.args;
      const { data } = await (await context.registry()).bulk.replaceTechContact(
        { current_contact_id: current, new_contact_id: other },
        context.change,
      );
      reportReplaced(context, data);
    },
  },
  {
    name: 'bulk replace-nameserver',
    parameters: 'HOST NEW[=IP,…]',
    summary: 'Puts another nameserver in the place of one, on all domains that have it',
    changes: true,
    options: { domain: { value: 'NAME', multiple: true, description: 'only on this domain' } },
    async run(context) {
      const [current = '', other = ''] = context.args;
      const domains = context.texts('domain');
      const { data } = await (await context.registry()).bulk.replaceNameserver(
        {
          type: 'nameserver',
          id: current,
          attributes: parseNameserver(other),
          ...(domains.length > 0 && { domains }),
        },
        context.change,
      );
      reportReplaced(context, data);
    },
  },
];

type Replaced = { readonly affected_domains: readonly string[]; readonly skipped_domains: readonly string[] };

function reportReplaced({ printer, change }: Context, data: Replaced): void {
  if (printer.isJson) {
    printer.item(data);
    return;
  }
  const done = change.dryRun ? 'possible' : 'done';
  for (const domain of data.affected_domains) printer.row({}, { Domain: domain, Outcome: done });
  for (const domain of data.skipped_domains) printer.row({}, { Domain: domain, Outcome: 'skipped' });
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { argument, type Command, type Context, Failed, parsePeriod, UsageError } from '../command.ts';
import { readCsv } from '../csv.ts';

/** Calls of this size show progress, and are repeated in little pieces. */
const BATCH_SIZE = 100;

type Row = Readonly<Record<string, string>>;

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
        return [{ domain: name, failure: result.ok ? undefined : result.refusal.message }];
      });
    },
  },
  {
    name: 'bulk renew',
    parameters: 'FILE',
    summary: 'Renews the domains of a CSV file, 100 at a time and these all or none: column Domain',
    changes: true,
    options: { period: { value: 'PERIOD', description: '1y, 3m and so on' } },
    async run(context) {
      const { rows, keyPrefix } = await readRows(context, ['domain']);
      const registry = await context.registry();
      const period = context.text('period') ?? '1y';
      parsePeriod(period);
      await inOrder(context, rows, BATCH_SIZE, async (batch, first) => {
        const domains = batch.map(({ domain = '' }) => domain);
        const order = { domains, renew_period: period };
        const result = await registry.bulk
          .renew(order, { ...context.change, key: `${keyPrefix}-${period}-${first}` })
          .result();
        return domains.map((domain) => ({ domain, failure: result.ok ? undefined : result.refusal.message }));
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
        return [
          ...data.success.map(({ domain_name }) => ({ domain: domain_name, failure: undefined })),
          ...data.failed.map(({ domain_name, errors }) => ({ domain: domain_name, failure: errors.msg })),
        ];
      });
    },
  },
];

/**
 * The rows of a file, and what the keys of its orders begin with. Unless --key says otherwise that is made from the
 * contents: the same file is the same orders, so a run that was interrupted is simply started again.
 */
async function readRows(
  context: Context,
  columns: readonly string[],
): Promise<{ rows: Row[]; keyPrefix: string }> {
  const text = await readFile(argument(context), 'utf8');
  const rows = readCsv(text);
  const missing = columns.find((column) => rows.some((row) => !row[column]));
  if (rows.length === 0 || missing !== undefined)
    throw new UsageError(
      `${argument(context)}: ${rows.length === 0 ? 'no rows' : `a row has no ${missing}`}`,
    );
  const contents = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { rows, keyPrefix: context.change.key ?? contents };
}

type Outcome = { readonly domain: string; readonly failure: string | undefined };

async function inOrder(
  { printer, change, environment }: Context,
  rows: readonly Row[],
  size: number,
  work: (batch: readonly Row[], first: number) => Promise<readonly Outcome[]>,
): Promise<void> {
  let failed = 0;
  for (let first = 0; first < rows.length; first += size) {
    environment.signal.throwIfAborted();
    for (const outcome of await work(rows.slice(first, first + size), first)) {
      if (outcome.failure !== undefined) failed++;
      const { domain, failure } = outcome;
      printer.item(
        { domain, done: failure === undefined, failure },
        domain,
        failure ?? (change.dryRun ? 'possible' : 'done'),
      );
    }
    printer.progress(Math.min(first + size, rows.length), rows.length);
  }
  if (failed > 0) throw new Failed(`${failed} of ${rows.length} failed`);
}

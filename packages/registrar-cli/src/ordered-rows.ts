import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { DryRun } from 'cadastre-sdk';
import { argument, type Context, Failed, UsageError } from './command.ts';
import { readCsv } from './csv.ts';

export type Row = Readonly<Record<string, string>>;

/**
 * The rows of a file, and what the keys of its orders begin with. Unless --key says otherwise that is made from the
 * contents: the same file is the same orders, so a run that was interrupted is simply started again.
 */
export async function readRows(
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

/** What came of a call for some of the rows. */
export type Outcome = {
  readonly domains: readonly { readonly domain: string; readonly failure: string | undefined }[];
  /** Of a dry run that was not refused. */
  readonly dryRun?: DryRun | undefined;
};

/** Does the work for all rows, some at a time, and reports each domain; a dry run ends with what all would cost. */
export async function inOrder(
  context: Context,
  rows: readonly Row[],
  size: number,
  work: (batch: readonly Row[], first: number) => Promise<Outcome>,
): Promise<void> {
  const { printer, change, environment } = context;
  const rehearsed: DryRun[] = [];
  let failed = 0;
  for (let first = 0; first < rows.length; first += size) {
    environment.signal.throwIfAborted();
    const { domains, dryRun } = await work(rows.slice(first, first + size), first);
    if (dryRun) rehearsed.push(dryRun);
    for (const { domain, failure } of domains) {
      if (failure !== undefined) failed++;
      const outcome = failure ?? (change.dryRun ? 'possible' : 'done');
      printer.row({ domain, done: failure === undefined, failure }, { Domain: domain, Outcome: outcome });
    }
    printer.flush();
    printer.progress(Math.min(first + size, rows.length), rows.length);
  }
  if (change.dryRun) reportTotal(context, rehearsed, { possible: rows.length - failed, of: rows.length });
  if (failed > 0) throw new Failed(`${failed} of ${rows.length} failed`);
}

type Counts = { readonly possible: number; readonly of: number };

/** Each call was tried alone, beside the whole balance. */
function reportTotal({ printer }: Context, rehearsed: readonly DryRun[], { possible, of }: Counts): void {
  const [first] = rehearsed;
  const price = rehearsed.reduce((sum, dryRun) => sum + cents(dryRun.price), 0n);
  const left = first && cents(first.price) + cents(first.balance_after) - price;
  const missing = left !== undefined && left < 0n ? decimal(-left) : undefined;
  const total = {
    possible,
    of,
    price: decimal(price),
    ...(left !== undefined && { balance_after: decimal(left) }),
    ...(missing && { missing }),
  };
  const outcome = missing
    ? `the account lacks ${missing}`
    : `leaves ${left === undefined ? 'the balance' : decimal(left)}`;
  printer.item({ total }, `${possible} of ${of} possible; all cost ${total.price}, ${outcome}`);
}

const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));

function decimal(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

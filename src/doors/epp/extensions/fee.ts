import { balanceOf } from '../../../ledger/charge.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { type Cents, parseSignedAmount, toDecimal } from '../../../platform/values/money.ts';
import type { Policy } from '../../../policy/policy.ts';
import { monthsOf } from '../../../registry/domains/rules/periods.ts';
import type { NameCheckInZone } from '../../../registry/names/availability.ts';
import type { Context } from '../../../registry/operation.ts';
import { quotePrices } from '../../../registry/prices/prices.ts';
import type { CommandReader } from '../command-reader.ts';
import { type Period, readPeriod } from '../commands/period.ts';
import { NAMESPACES } from '../namespaces.ts';
import type { XmlElement } from '../xml/element.ts';
import { type Markup, xml } from '../xml/write.ts';

/** Prices (RFC 8748). */

const COMMANDS = ['create', 'renew', 'transfer', 'update', 'delete', 'restore', 'custom'] as const;
type FeeCommand = {
  readonly name: (typeof COMMANDS)[number];
  readonly period: Period | undefined;
};
/** Every price is quoted for every name of the command. */
const MAX_COMMANDS = 20;
type FeeCheck = { readonly currency: string | undefined; readonly commands: readonly FeeCommand[] };

export function readFeeCheck(element: XmlElement | undefined, reader: CommandReader): FeeCheck | undefined {
  if (!element) return undefined;
  const { currency, command } = reader.children(element, { currency: 'maybe', command: 'list' });
  if (command.length === 0) reader.refuse('elementMissing', { ...element, name: 'command' });
  if (command.length > MAX_COMMANDS) reader.outOfRange(element, `of at most ${MAX_COMMANDS} commands`);
  return {
    currency: reader.optionalText(currency),
    commands: command.map((each) => {
      const { period } = reader.children(each, { period: 'maybe' });
      const name = reader.choice(each, 'name', COMMANDS, 'custom');
      return { name, period: period && readPeriod(period, reader) };
    }),
  };
}

/** The price of each command for each name, which depends on its zone alone. Transfers, updates and deletions cost nothing. */
export async function answerFeeCheck(
  db: Sql,
  { currency, commands }: FeeCheck,
  names: readonly string[],
  checks: readonly NameCheckInZone[],
  context: Context,
): Promise<Markup> {
  const { policy } = context;
  const zones = [...new Set(checks.flatMap(({ zone }) => zone ?? []))];
  const prices = await pricesIn(db, zones, commands, context);
  const results = names.map((name, index) => {
    const own = prices.get(checks[index]?.zone ?? '');
    const reason =
      currency !== undefined && currency !== policy.currency
        ? `Prices are in ${policy.currency}`
        : own === undefined
          ? 'invalid format'
          : undefined;
    const id = xml`<fee:objID>${name}</fee:objID>`;
    return reason === undefined
      ? xml`<fee:cd avail="1">${id}${own}</fee:cd>`
      : xml`<fee:cd avail="0">${id}<fee:reason>${reason}</fee:reason></fee:cd>`;
  });
  return xml`<fee:chkData xmlns:fee="${NAMESPACES.fee}"><fee:currency>${policy.currency}</fee:currency>${results}</fee:chkData>`;
}

/** What the commands cost in each zone, written once for all names of the zone. */
async function pricesIn(
  db: Sql,
  zones: readonly string[],
  commands: readonly FeeCommand[],
  context: Context,
): Promise<ReadonlyMap<string, Markup>> {
  const priced = commands.flatMap(({ name, period }) =>
    name === 'create' || name === 'renew'
      ? [{ operation: name, months: monthsOf(period?.count ?? 1, period?.unit ?? 'y') }]
      : [],
  );
  const prices = await quotePrices(
    db,
    zones.flatMap((zone) => priced.map((each) => ({ zone, ...each }))),
    context,
  );
  return new Map(
    zones.map((zone, index) => {
      const own = prices.slice(index * priced.length, (index + 1) * priced.length);
      return [zone, xml`${commands.map((command) => commandInfo(command, own))}`];
    }),
  );
}

function commandInfo({ name, period }: FeeCommand, prices: (Cents | undefined)[]): Markup {
  const isPriced = name === 'create' || name === 'renew';
  const price = isPriced ? prices.shift() : name === 'restore' || name === 'custom' ? undefined : 0n;
  const { count, unit } = period ?? { count: 1, unit: 'y' };
  return xml`<fee:command name="${name}" standard="1">${
    isPriced && xml`<fee:period unit="${unit}">${count}</fee:period>`
  }${
    price === undefined
      ? xml`<fee:reason>There is no price for this</fee:reason>`
      : xml`<fee:fee>${toDecimal(price)}</fee:fee>`
  }</fee:command>`;
}

/** The sum that the client agrees to; it is charged this sum in this currency or refused. */
export function readAgreedFee(
  element: XmlElement | undefined,
  reader: CommandReader,
  policy: Policy,
): { readonly fee: Cents } | undefined {
  if (!element) return undefined;
  const { currency, fee, credit } = reader.children(element, {
    ...({ currency: 'maybe', fee: 'list', credit: 'list' } as const),
  });
  if (currency && reader.text(currency) !== policy.currency) reader.outOfRange(currency, policy.currency);
  if (fee.length === 0) reader.refuse('elementMissing', { ...element, name: 'fee' });
  const amounts = [...fee, ...credit].map((each) => {
    const amount = parseSignedAmount(reader.text(each));
    if (amount === undefined) reader.wrong(each, 'an amount such as 9.00');
    return amount ?? 0n;
  });
  reader.from(['agreedPrice'], fee[0] ?? element);
  return { fee: amounts.reduce((sum, amount) => sum + amount, 0n) };
}

/** What was charged, which is what the client agreed to, and what is left; without the latter if it cannot be read. */
export async function chargedFee(
  database: Database,
  answer: 'creData' | 'renData',
  { fee }: { readonly fee: Cents },
  { policy, principal }: Context,
): Promise<Markup> {
  // The command is done: a failure from here on must not be answered as its own.
  const balance = await balanceOf(database.reads, principal.registrarId).catch(() => undefined);
  return xml`<fee:${answer} xmlns:fee="${NAMESPACES.fee}"><fee:currency>${policy.currency}</fee:currency><fee:fee>${toDecimal(fee)}</fee:fee>${
    balance !== undefined && xml`<fee:balance>${toDecimal(balance)}</fee:balance>`
  }</fee:${answer}>`;
}

import type { OperatorContext } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import type { Refusal } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { identifier, type Statement, sql } from '../../platform/sql/statement.ts';
import { addressMatcher, parseAddressRange } from '../../platform/values/ip-addresses.ts';
import { refusal, refuse } from '../operator-refusals.ts';
import { isWithinRegistrar } from './own-registrar.ts';

/** API users and people come from different places: servers and offices. */
export type AddressPurpose = 'api' | 'console';
export const ADDRESS_TABLES = {
  api: identifier('allowed_addresses'),
  console: identifier('console_addresses'),
} as const satisfies Record<AddressPurpose, unknown>;
const IN_HISTORY: Readonly<Record<AddressPurpose, string>> = {
  api: 'addresses',
  console: 'console addresses',
};

/** A range of one of the lists of a registrar. */
export type ListedRange = {
  /** Code of the registrar. */
  readonly registrar: string;
  /** An address or a CIDR range, as it was written. */
  readonly range: string;
  readonly purpose: AddressPurpose;
  /** From where the person comes who changes the list, and who must still be let in afterwards. */
  readonly ownAddress?: string | undefined;
};

type FoundList = {
  readonly id: number;
  readonly version: number;
  readonly ranges: readonly string[];
  /** The range that is meant, as it is or would be listed. */
  readonly network: string;
};
type Found = { readonly range: string | undefined; readonly list: FoundList | undefined };

export async function loadList(
  db: Sql,
  { registrar, range: written, purpose }: ListedRange,
  context: Pick<OperatorContext, 'registrarId'>,
): Promise<Found> {
  const parsed = parseAddressRange(written);
  if (!parsed) return { range: undefined, list: undefined };
  // An IPv4-mapped IPv6 address became the IPv4 address.
  const range = `${parsed.address}/${parsed.prefix}`;
  const list = await db.maybe(sql<FoundList>`
    select r.id, r.version, network(${range}::inet)::text as network,
      array(select a.range::text from ${ADDRESS_TABLES[purpose]} a where a.registrar_id = r.id order by a.range) as ranges
    from registrars r where r.code = ${registrar} and ${isWithinRegistrar(sql`r.id`, context)}`);
  return { range, list };
}

export const requireRange = (range: string | undefined, { range: written }: ListedRange): string =>
  range ?? refuse('addressRangeInvalid', { at: ['range'], range: written });

/** A list without ranges lets everybody in. */
export function checkOwnAddress(ranges: readonly string[], { ownAddress }: ListedRange): Refusal[] {
  const isLetIn = ownAddress === undefined || ranges.length === 0 || addressMatcher(ranges)(ownAddress);
  return isLetIn ? [] : [refusal('ownAddressOutside', { at: ['range'], address: ownAddress })];
}

type ListChange = {
  readonly verb: 'allow' | 'disallow';
  readonly purpose: AddressPurpose;
  readonly range: string;
  /** Reads the registrar from `changed`. */
  readonly listed: Statement;
  readonly answer: unknown;
};

/** Increments the registrar's version: every server reloads the list, and of two changes at once one is decided on again. */
export const persistList = (
  db: Sql,
  { id, version }: FoundList,
  { verb, purpose, range, listed, answer }: ListChange,
  context: OperatorContext,
): Promise<void> => {
  const changed = sql`
    update registrars set version = version where id = ${id} and version = ${version} returning id, code as name`;
  const entry = {
    objectKind: 'registrar',
    operation: `${verb} ${IN_HISTORY[purpose]}`,
    registrarId: id,
    after: { range },
  };
  return persistRecorded(db, { changed, listed }, entry, { answer, context });
};

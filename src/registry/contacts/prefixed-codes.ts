import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Principal } from '../actor.ts';
import { searchKey } from './contact-fields.ts';

/**
 * A registrar with the compatibility profile names its contacts without its prefix too: `jaan` is `ALPHA:JAAN`, or a
 * contact `jaan` that was stored without the prefix. Each is the counterpart of the other, and only one of them can be created.
 */
type Caller = Pick<Principal, 'registrarId' | 'registrarCode'>;

const hasPrefix = (code: string, { registrarCode }: Pick<Caller, 'registrarCode'>): boolean =>
  code.toUpperCase().startsWith(`${registrarCode}:`);

/** The code with the registrar's prefix, in capitals. */
export const prefixedCode = (code: string, caller: Pick<Caller, 'registrarCode'>): string =>
  (hasPrefix(code, caller) ? code : `${caller.registrarCode}:${code}`).toUpperCase();

/** The other name of a contact: without the prefix if it has it, with it if not. */
export const counterpartCode = (code: string, caller: Pick<Caller, 'registrarCode'>): string =>
  hasPrefix(code, caller) ? code.slice(caller.registrarCode.length + 1) : prefixedCode(code, caller);

type Meanings = {
  /** The code of the contact that a name means; the name itself where there is none. */
  readonly meant: (code: string) => string;
  /** The names without the prefix that could mean two contacts, with both. */
  readonly ambiguous: ReadonlyMap<string, string>;
};

/**
 * What names of the caller's contacts mean: the code with the prefix, or the one without it where only that exists. A
 * name without the prefix is ambiguous where both exist.
 */
export async function findMeantCodes(db: Sql, names: readonly string[], caller: Caller): Promise<Meanings> {
  const codes = [...new Set(names)];
  if (codes.length === 0) return { meant: (code) => code, ambiguous: new Map() };
  const keys = codes.flatMap((code) => [code, counterpartCode(code, caller)].map(searchKey));
  const rows = await db.rows(sql<{ key: string; code: string }>`
    select code_key as key, code from contacts
    where registrar_id = ${caller.registrarId} and code_key = any(${[...new Set(keys)]}::text[])`);
  const stored = new Map(rows.map(({ key, code }) => [key, code]));
  const meant = new Map<string, string>();
  const ambiguous = new Map<string, string>();
  for (const code of codes) {
    const [own, counterpart] = [code, counterpartCode(code, caller)].map((each) =>
      stored.get(searchKey(each)),
    );
    if (own !== undefined && counterpart !== undefined && !hasPrefix(code, caller))
      ambiguous.set(code, `${counterpart} or ${own}`);
    meant.set(code, own ?? counterpart ?? code);
  }
  return { meant: (code) => meant.get(code) ?? code, ambiguous };
}

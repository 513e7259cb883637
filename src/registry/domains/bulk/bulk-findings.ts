import { type Refusal, requireNone } from '../../../operations/refusal.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import type { Cents } from '../../../platform/values/money.ts';
import type { Context } from '../../operation.ts';
import type { Domain } from '../domain.ts';
import { refusal } from '../rules/domain-refusals.ts';
import { type DomainRow, domainValue, readDomain } from '../readings/load-domain.ts';

/** What a bulk operation would do with one of its domains, or why it would not. */
export type BulkFinding =
  | { readonly name: string; readonly refusal: Refusal }
  | {
      readonly name: string;
      readonly refusal?: undefined;
      readonly before: Domain;
      readonly after: Domain;
      readonly price?: Cents;
    };

/** Domains by their names, of whatever registrar. */
export async function readNamed(
  db: Sql,
  names: readonly string[],
  { now }: Pick<Context, 'now'>,
): Promise<ReadonlyMap<string, Domain>> {
  const rows = await db.rows(sql<{ domain: DomainRow }>`
    select ${domainValue(now)} as domain from domains d where d.name = any(${names}::text[])`);
  return new Map(rows.map(({ domain }) => [domain.name, readDomain(domain)]));
}

type Decision = {
  readonly check: (domain: Domain) => readonly Refusal[];
  readonly change: (domain: Domain) => { readonly after: Domain; readonly price?: Cents };
};

/** The same decision for each of the named domains, which must exist and be the caller's. */
export const findEach = (
  names: readonly string[],
  domains: ReadonlyMap<string, Domain>,
  { check, change }: Decision,
  { principal }: Pick<Context, 'principal'>,
): BulkFinding[] =>
  names.map((name) => {
    const before = domains.get(name);
    if (!before) return { name, refusal: refusal('bodyObjectMissing', { object: name }) };
    if (before.registrarId !== principal.registrarId) return { name, refusal: refusal('notSponsor') };
    const [wrong] = check(before);
    return wrong ? { name, refusal: wrong } : { name, before, ...change(before) };
  });

/** For operations that change all of the named domains or none. */
export function requireAll(findings: readonly BulkFinding[]): void {
  requireNone(
    listFailures(
      findings.flatMap((found, index) =>
        found.refusal ? [{ name: found.name, index, refusal: found.refusal }] : [],
      ),
    ),
  );
}

type Failure = { readonly name: string; readonly index: number; readonly refusal: Refusal };

/** One refusal per failed domain. */
export const listFailures = (failures: readonly Failure[]): Refusal[] =>
  failures.map(({ name, index, refusal: item }) => ({ ...item, at: ['domains', index], object: name }));

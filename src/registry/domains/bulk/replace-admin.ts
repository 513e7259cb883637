import type { Outcome } from '../../../operations/run-operation.ts';
import type { Database } from '../../../platform/database/database.ts';
import { PLANNED_ONCE } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import type { Context } from '../../operation.ts';
import { runRegistryTransaction } from '../../run-registry-operation.ts';
import { isSameHolder } from '../change-registrant.ts';
import { type ContactInfo, type Domain, linkOf } from '../domain.ts';
import { refuse } from '../rules/domain-refusals.ts';
import type { DomainChange } from '../persist-domains.ts';
import { type AffectedDomains, replaceOnEach } from './replace-on-each.ts';
import { findBoth, type TechReplacement } from './replace-tech.ts';
import { isProhibited } from '../rules/domain-statuses.ts';

export type AdminReplacement = Pick<TechReplacement, 'current' | 'next'>;

/** Replaces one admin contact by another of the same person, on all of the caller's domains that can be changed. */
export function replaceAdmin(
  database: Database,
  replacement: AdminReplacement,
  context: Context,
): Promise<Outcome<AffectedDomains>> {
  return runRegistryTransaction(
    database,
    context,
    async (db) => {
      const [from, to] = await findBoth(db, replacement, context);
      if (!isSameHolder(from, to)) refuse('otherIdent', { at: ['next'] });
      const own = sql`select l.domain_id as id from domain_contacts l where l.contact_id = ${from.id} and l.role = 'admin'`;
      return replaceOnEach(db, own, (domain) => withOtherAdmin(domain, from, to), context);
    },
    PLANNED_ONCE,
  );
}

/** Undefined where the rules exclude the domain. */
export function withOtherAdmin(domain: Domain, from: ContactInfo, to: ContactInfo): DomainChange | undefined {
  const { contacts, statuses } = domain;
  const isTaken = contacts.some(({ id, role }) => role === 'admin' && id === to.id);
  if (isTaken || isProhibited('update', statuses, 'serverAdminChangeProhibited')) return undefined;
  const remaining = contacts.filter(({ id, role }) => role !== 'admin' || id !== from.id);
  return {
    operation: 'replace admin contact',
    before: domain,
    after: { ...domain, contacts: [...remaining, linkOf(to, 'admin')] },
  };
}

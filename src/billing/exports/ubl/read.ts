import type { Sql } from '../../../platform/sql/executor.ts';
import type { Policy } from '../../../policy/policy.ts';
import { refuse } from '../../refusals.ts';
import { loadDocuments } from '../documents.ts';
import { ublXml } from './document.ts';

/** The invoice of a number by the European standard; undefined where there is none. */
export async function readUbl(db: Sql, number: number, policy: Policy): Promise<string | undefined> {
  const [invoice] = await loadDocuments(db, [number], policy);
  if (invoice?.kind === 'bulk') refuse('bulkHasNoDocument', { field: 'invoice_number' });
  return invoice && ublXml(invoice, policy);
}

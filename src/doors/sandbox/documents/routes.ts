import type { FastifyInstance } from 'fastify';
import type { Faults } from '../faults.ts';
import { ACCOUNTING_PATH, accountingSimulator } from './accounting.ts';
import { ReceivedDocuments } from './received.ts';

/** The services that take invoices as documents, each with what it has. */
export type DocumentTakers = { readonly accounting: ReceivedDocuments };
export type DocumentPowers = { readonly faults: Faults; readonly takers: DocumentTakers };

export const openTakers = (): DocumentTakers => ({ accounting: new ReceivedDocuments() });

export function documentRoutes(app: FastifyInstance, { faults, takers }: DocumentPowers): void {
  app.register(async (scope) => accountingSimulator(scope, { faults, received: takers.accounting }));
  app.get(ACCOUNTING_PATH, async () => takers.accounting.list());
}

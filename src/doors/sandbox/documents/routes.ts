import type { FastifyInstance } from 'fastify';
import type { Faults } from '../faults.ts';
import { ACCOUNTING_PATH, accountingSimulator } from './accounting.ts';
import { EINVOICE_PATH, einvoiceSimulator } from './einvoice.ts';
import { ReceivedDocuments } from './received.ts';

/** The services that take invoices as documents, each with what it has. */
export type DocumentTakers = {
  readonly accounting: ReceivedDocuments;
  readonly einvoice: ReceivedDocuments;
  /** By which the operator of e-invoices knows the registry. */
  readonly authPhrase: string | undefined;
};
export type DocumentPowers = { readonly faults: Faults; readonly takers: DocumentTakers };

export const openTakers = (authPhrase: string | undefined): DocumentTakers => ({
  accounting: new ReceivedDocuments(),
  einvoice: new ReceivedDocuments(),
  authPhrase,
});

export function documentRoutes(app: FastifyInstance, { faults, takers }: DocumentPowers): void {
  const { accounting, einvoice, authPhrase } = takers;
  app.register(async (scope) => accountingSimulator(scope, { faults, received: accounting }));
  app.register(async (scope) => einvoiceSimulator(scope, { faults, received: einvoice, authPhrase }));
  app.get(ACCOUNTING_PATH, async () => accounting.list());
  app.get(EINVOICE_PATH, async () => einvoice.list());
}

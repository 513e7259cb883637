import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Delivery } from '../../src/billing/deliveries/document-deliveries.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { sql } from './sql.ts';
import { onTestFinished } from './this-test.ts';

/** A message as it came over the wire. */
export type ReceivedMessage = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type TestService = {
  readonly url: string;
  readonly received: ReceivedMessage[];
  /** What becomes of a message: a status, or the connection is cut, or nobody ever answers. */
  answer: (message: ReceivedMessage) => Promise<number | 'cut' | 'silence'> | number | 'cut' | 'silence';
  close(): Promise<void>;
};

/** A service that is told of its invoices, on a free port of loopback, ended with the test. */
export async function openService(port = 0): Promise<TestService> {
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const message = {
      id: String(request.headers['idempotency-key']),
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    service.received.push(message);
    const answer = await service.answer(message);
    if (answer === 'silence') return;
    if (answer === 'cut') request.socket.destroy();
    else response.writeHead(answer, { location: '/elsewhere' }).end('{"message":"a word of the service"}');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  const service: TestService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: () => 200,
    close,
  };
  return service;
}

export const message = (parts: Partial<Delivery> = {}): Delivery => ({
  id: randomUUID(),
  target: 'service:auction',
  kind: 'invoice-paid',
  invoiceNumber: null,
  body: '{"invoice_number":150001,"status":"paid"}',
  ...parts,
});

/** Invoices that messages can be about. */
export async function plantInvoices(db: Sql, ...numbers: number[]): Promise<void> {
  await db.run(sql`
    insert into invoice_numbers (number, initiator, allocated_at)
    select number, 'auction', '2027-01-01' from unnest(${numbers}::bigint[]) as t(number)`);
  await db.run(sql`
    insert into invoices (number, initiator, kind, status, currency, amount, net, vat, vat_percent, description, issued_at, due_date)
    select number, 'auction', 'invoice', 'paid', 'EUR', 124, 100, 24, 24, 'auction', '2027-01-01', '2027-01-14'
    from unnest(${numbers}::bigint[]) as t(number)`);
}

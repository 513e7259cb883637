import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ListedDelivery } from '../../billing/deliveries/delivery-view.ts';
import type { InvoiceView } from '../../billing/invoices/invoice-view.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { KeyedTurns } from '../../platform/concurrency/keyed-turns.ts';
import { classifyDatabaseError } from '../../platform/database/database-errors.ts';
import { moveBy, parseMoment } from '../../platform/values/dates.ts';
import { type Cents, parseAmount, toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import { type DocumentPowers, documentRoutes } from './documents/document-routes.ts';
import { type ExamplePowers, exampleDataRoute } from './example-data.ts';
import { type Faults, faultControl } from './faults.ts';
import { identityRoutes, type SimulatedIdentity } from './simulated-identity-provider.ts';
import { type MailPowers, mailRoutes } from './sandbox-mails.ts';
import { providerSimulator } from './provider/provider-routes.ts';
import type { Simulator } from './provider/simulator.ts';
import { members, readJson, sendBadRequest } from './read-json.ts';
import { guardRequests, type OwnHosts } from './request-guard.ts';
import { addressesRoute, type SandboxAddresses } from './sandbox-addresses.ts';
import { secondaryRoutes } from './secondary-routes.ts';
import { type ServicePowers, serviceRoutes } from './services.ts';
import { type WebhookPowers, webhookRoutes } from './caught-webhooks.ts';

type OutsidePowers = ExamplePowers &
  MailPowers &
  DeliveryPowers &
  InvoicePowers &
  ServicePowers &
  DocumentPowers &
  WebhookPowers;

/** What the composition root permits the controls to do. */
export type SandboxPowers = OutsidePowers & {
  readonly faults: Faults;
  readonly provider: Simulator;
  readonly ownHosts: OwnHosts;
  readonly identity: SimulatedIdentity;
  readonly clock: Clock;
  readonly policy: Policy;
  /** Moves the clock, stores its position and runs the work that became due. */
  readonly moveClockTo: (time: Date) => Promise<void>;
  readonly reset: () => Promise<void>;
  /** Reports a failed control. */
  readonly report: (error: unknown) => void;
  readonly topUp: (registrar: string, amount: Cents) => Promise<Cents | undefined>;
  /** Sends NOTIFY there until the next reset; undefined where DNS is closed. */
  readonly notifySecondary?: ((address: string, port: number) => void) | undefined;
};

const LAST_YEAR = 9999;
const MAX_QUEUED_MOVES = 20;

/** Controls of the sandbox; a production server never loads this file. */
export function sandboxControls(
  app: FastifyInstance,
  powers: SandboxPowers,
  addresses: () => SandboxAddresses,
): void {
  guardRequests(app, powers.ownHosts);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, parsed) =>
    parsed(null, readJson(String(text))),
  );
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    if (error.statusCode !== undefined && error.statusCode < 500)
      return reply.code(error.statusCode).send({ error: `The request cannot be read: ${error.message}` });
    powers.report(error);
    if (classifyDatabaseError(error) === undefined)
      return reply.code(500).send({ error: 'The control failed; the log tells why.' });
    return reply
      .code(503)
      .header('retry-after', '1')
      .send({ error: 'The database is not available. Try again in a moment.' });
  });
  addressesRoute(app, addresses);
  identityRoutes(app, powers.identity);
  clockRoutes(app, powers);
  topUpRoute(app, powers);
  exampleDataRoute(app, powers, () => addresses().console);
  secondaryRoutes(app, powers);
  mailRoutes(app, powers);
  deliveryRoutes(app, powers);
  invoiceRoutes(app, powers);
  serviceRoutes(app, powers);
  documentRoutes(app, powers);
  webhookRoutes(app, powers);
  faultControl(app, powers.faults);
  providerSimulator(app, powers.provider);
}

function clockRoutes(app: FastifyInstance, powers: SandboxPowers): void {
  const { clock, policy } = powers;
  const now = () => ({ now: clock.now().toISOString() });

  app.get('/sandbox/clock', async () => now());

  const moveClock = async (request: FastifyRequest, reply: FastifyReply) => {
    const { advance, set } = members(request);
    const target =
      typeof advance === 'string'
        ? moveBy(clock.now(), advance, policy.timeZone)
        : typeof set === 'string'
          ? parseMoment(set)
          : undefined;
    if (!target)
      return sendBadRequest(
        reply,
        'Give {"advance": an ISO 8601 duration} or {"set": an ISO 8601 time with offset}.',
      );
    if (target.getUTCFullYear() > LAST_YEAR)
      return sendBadRequest(reply, `The clock goes up to the year ${LAST_YEAR}.`);
    if (target < clock.now())
      return sendBadRequest(reply, `The clock only moves forward; it is ${clock.now().toISOString()}.`);
    await powers.moveClockTo(target);
    return now();
  };
  // In turns: of two that advance it each starts from where the other ended.
  const moves = new KeyedTurns(MAX_QUEUED_MOVES);
  app.post(
    '/sandbox/clock',
    (request, reply) =>
      moves.take('clock', () => moveClock(request, reply)) ??
      reply.code(503).send({ error: 'Too many moves of the clock wait already.' }),
  );

  app.post('/sandbox/reset', async () => {
    await powers.reset();
    return { status: 'reset', ...now() };
  });
}

function topUpRoute(app: FastifyInstance, powers: SandboxPowers): void {
  app.post('/sandbox/topup', async (request, reply) => {
    const { registrar, amount: text } = members(request);
    const amount = typeof text === 'string' ? parseAmount(text) : undefined;
    if (typeof registrar !== 'string' || amount === undefined || amount <= 0n) {
      return sendBadRequest(
        reply,
        'Give {"registrar": a code, "amount": a decimal above zero such as "50.00"}.',
      );
    }
    const balance = await powers.topUp(registrar, amount);
    if (balance === undefined) return reply.code(404).send({ error: 'There is no such registrar.' });
    return { registrar, balance: toDecimal(balance) };
  });
}

export type DeliveryPowers = {
  /** Delivers due messages, then lists the newest ones, newest first. */
  readonly deliveries: (most: number) => Promise<readonly ListedDelivery[]>;
};

const MAX_LISTED = 1_000;

/** The messages to other services and their outcomes. */
function deliveryRoutes(app: FastifyInstance, { deliveries }: DeliveryPowers): void {
  app.get('/sandbox/deliveries', async () => (await deliveries(MAX_LISTED)).map(inJson));
}

const inJson = ({ id, target, kind, invoiceNumber, body, status, attempts }: ListedDelivery) => ({
  id,
  target,
  kind,
  invoice_number: invoiceNumber,
  body,
  status,
  attempts,
});

export type InvoicePowers = {
  /** Waits briefly for polls of the provider in flight, then reads. */
  readonly invoice: (number: number) => Promise<InvoiceView | undefined>;
};

/** The state of an invoice of any initiator. */
function invoiceRoutes(app: FastifyInstance, { invoice: find }: InvoicePowers): void {
  app.get('/sandbox/invoices/:invoice_number', async (request, reply) => {
    const { invoice_number: text } = request.params as { invoice_number: string };
    const invoice = /^[1-9]\d{0,14}$/.test(text) ? await find(Number(text)) : undefined;
    if (!invoice) return reply.code(404).send({ error: 'There is no such invoice.' });
    const { number, initiator, status, amount, held, payments, events } = invoice;
    return {
      invoice_number: number,
      initiator,
      status,
      amount: toDecimal(BigInt(amount)),
      held,
      payments: payments.map(({ reference, state }) => ({
        payment_reference: reference,
        payment_state: state,
      })),
      events: events.map(({ name, at }) => ({ event_name: name, at })),
    };
  });
}

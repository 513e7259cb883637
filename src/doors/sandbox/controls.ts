import type { FastifyInstance } from 'fastify';
import type { MovableClock } from '../../platform/clock/clock.ts';
import { moveBy, parseMoment } from '../../platform/values/dates.ts';
import { type Cents, parseDecimal, toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import { complain, members, readJson } from './body.ts';
import { type DeliveryPowers, deliveryRoutes } from './deliveries.ts';
import { type DocumentPowers, documentRoutes } from './documents/routes.ts';
import { faultControl } from './fault-control.ts';
import type { Faults } from './faults.ts';
import { type InvoicePowers, invoiceRoutes } from './invoices.ts';
import { type MailPowers, mailRoutes } from './mail.ts';
import type { OwnHosts } from './own-hosts.ts';
import { type Places, placesRoute } from './places.ts';
import { providerSimulator } from './provider/routes.ts';
import type { Simulator } from './provider/simulator.ts';
import { guardRequests } from './request-guard.ts';
import { type ServicePowers, serviceRoutes } from './services.ts';

type OutsidePowers = MailPowers & DeliveryPowers & InvoicePowers & ServicePowers & DocumentPowers;

/** What the composition root lets the controls do. */
export type SandboxPowers = OutsidePowers & {
  readonly faults: Faults;
  readonly provider: Simulator;
  readonly ownHosts: OwnHosts;
  readonly clock: MovableClock;
  readonly policy: Policy;
  /** Moves the clock, keeps its place and runs what became due. */
  readonly moveClockTo: (time: Date) => Promise<void>;
  readonly reset: () => Promise<void>;
  /** Where a control that fails is told of. */
  readonly report: (error: unknown) => void;
  readonly topUp: (registrar: string, amount: Cents) => Promise<Cents | undefined>;
};

const LAST_YEAR = 9999;

/** Controls of the sandbox; a production server never loads this file. */
export function sandboxControls(app: FastifyInstance, powers: SandboxPowers, places: () => Places): void {
  const { clock, policy } = powers;
  guardRequests(app, powers.ownHosts);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, parsed) =>
    parsed(null, readJson(String(text))),
  );
  app.setErrorHandler((error, _request, reply) => {
    powers.report(error);
    return reply.code(500).send({ error: 'The control failed; the log tells why.' });
  });
  placesRoute(app, places);
  const now = () => ({ now: clock.now().toISOString() });

  app.get('/sandbox/clock', async () => now());

  app.post('/sandbox/clock', async (request, reply) => {
    const { advance, set } = members(request);
    const target =
      typeof advance === 'string'
        ? moveBy(clock.now(), advance, policy.timeZone)
        : typeof set === 'string'
          ? parseMoment(set)
          : undefined;
    if (!target)
      return complain(
        reply,
        'Give {"advance": an ISO 8601 duration} or {"set": an ISO 8601 time with offset}.',
      );
    if (target.getUTCFullYear() > LAST_YEAR)
      return complain(reply, `The clock goes up to the year ${LAST_YEAR}.`);
    if (target < clock.now())
      return complain(reply, `The clock only moves forward; it is ${clock.now().toISOString()}.`);
    await powers.moveClockTo(target);
    return now();
  });

  app.post('/sandbox/reset', async () => {
    await powers.reset();
    return { status: 'reset', ...now() };
  });

  app.post('/sandbox/topup', async (request, reply) => {
    const { registrar, amount: text } = members(request);
    const amount = typeof text === 'string' ? parseDecimal(text) : undefined;
    if (typeof registrar !== 'string' || amount === undefined || amount <= 0n) {
      return complain(reply, 'Give {"registrar": a code, "amount": a decimal above zero such as "50.00"}.');
    }
    const balance = await powers.topUp(registrar, amount);
    if (balance === undefined) return reply.code(404).send({ error: 'There is no such registrar.' });
    return { registrar, balance: toDecimal(balance) };
  });

  mailRoutes(app, powers);
  deliveryRoutes(app, powers);
  invoiceRoutes(app, powers);
  serviceRoutes(app, powers);
  documentRoutes(app, powers);
  faultControl(app, powers.faults);
  providerSimulator(app, powers.provider);
}

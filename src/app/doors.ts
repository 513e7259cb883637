import { billingDoor } from '../doors/billing-api/start.ts';
import { startConsole } from '../doors/console/start.ts';
import type { OpenDoor } from '../doors/door.ts';
import { startConfirmation } from '../doors/pages/confirmation/start.ts';
import { startLookup } from '../doors/pages/lookup/start.ts';
import { startRdap } from '../doors/rdap/start.ts';
import { registrarDoor } from '../doors/registrar-api/start.ts';
import { reservationDoor } from '../doors/reservation-api/start.ts';
import type { Clock } from '../platform/clock/clock.ts';
import { IdentityProvider } from '../registry/people/identity-provider.ts';
import { identitySettings } from './identity-settings.ts';
import type { DoorName } from './product-dependencies.ts';
import { LOOKUP_PATH } from './sandbox-pages.ts';
import type { SharedDependencies } from './shared-dependencies.ts';
import { webhookSettings } from './webhook-settings.ts';

type Start = () => Promise<OpenDoor>;

/**
 * The doors, and how each is started; and the documents of the APIs, of which every process has all. WHOIS is given the
 * clock as it is: it has an answer of its own where it is wrong.
 */
export function doorsOf(shared: SharedDependencies, checkedClock: Clock) {
  const { config, origin, availability, eppIdentity, sandboxSecondaries } = shared;
  const webhooks = webhookSettings(config);
  const registrar = registrarDoor({ ...shared, webhooks });
  const reservation = reservationDoor(shared);
  const billing = billingDoor(shared);
  const identity = new IdentityProvider(() => identitySettings(config, origin));
  const lookupUrl = () => origin.urlForPeople + LOOKUP_PATH;
  const { unavailable } = availability;
  const ownFiles = eppIdentity?.server;
  const sandbox = sandboxSecondaries;
  const starts: Readonly<Record<DoorName, Start>> = {
    registrar: registrar.start,
    reservation: reservation.start,
    billing: billing.start,
    confirmation: () => startConfirmation(shared),
    rdap: () => startRdap(shared),
    lookup: () => startLookup(shared),
    console: () => startConsole({ ...shared, webhooks, identity }),
    // Imported lazily: many processes have no such port.
    epp: async () => (await import('../doors/epp/start.ts')).startEpp({ ...shared, unavailable, ownFiles }),
    dns: async () => (await import('../doors/dns/start.ts')).startDns({ ...shared, sandbox }),
    whois: async () =>
      (await import('../doors/whois/start.ts')).startWhois({ ...shared, clock: checkedClock, lookupUrl }),
  };
  return {
    starts,
    documents: {
      registrar: registrar.document,
      reservation: reservation.document,
      billing: billing.document,
    },
  };
}

import { answerOf } from '../../operations/run-operation.ts';
import { replaceNameserver } from '../../registry/domains/bulk/replace-nameserver.ts';
import { changeOwnAccount } from '../../registry/registrars/change-own-account.ts';
import { createEndpoint } from '../../registry/webhooks/create-endpoint.ts';
import type { WebhookSettings } from '../../registry/webhooks/known-webhooks.ts';
import { exampleContacts, newestCustomer } from './example-contacts.ts';
import { causeIncidents, loseDomains, readMessages, type Scene } from './example-incidents.ts';
import { ExamplePortfolio } from './example-portfolio.ts';
import { ExampleRegistrar, type ExampleWorld } from './example-registrar.ts';

type YearWorld = ExampleWorld & {
  readonly webhooks: WebhookSettings;
  readonly receivers: () => { readonly catches: string; readonly fails: string };
};

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
/** Longer than a year, so that what was registered at the beginning expires. */
const DAYS = 390;
const DAYS_APART = 3;
const FIRST_DAYS = 21;
const REGISTERED_AT_FIRST = 12;
const TOTAL = 300;
/** Nothing that expires in these last days is renewed. */
const UNATTENDED_DAYS = 17;
const UNREAD_DAYS = 24;

/** A registrar registers, renews, takes over, loses and forgets domains, and pays for them. */
export async function liveThroughYear(world: YearWorld): Promise<void> {
  const alpha = await ExampleRegistrar.of(world, 'ALPHA', 'alpha@sandbox.example');
  const beta = await ExampleRegistrar.of(world, 'BETA', 'beta@sandbox.example');
  const portfolio = new ExamplePortfolio(alpha);
  const scene: Scene = { world, alpha, beta, portfolio };
  await portfolio.createContacts(alpha, exampleContacts);
  await portfolio.createContacts(beta, exampleContacts.slice(-2), 'beta.');
  await portfolio.registerElsewhere(beta, 'beta.marju.kuusik');
  const began = alpha.now.getTime();
  for (let day = 0; day < DAYS; day += DAYS_APART) {
    await workDay(scene, day, began + (DAYS - UNATTENDED_DAYS) * DAY_MS);
    const hours = portfolio.random(10) - 5;
    await world.moveClockTo(
      new Date(Math.max(began + (day + DAYS_APART) * DAY_MS + hours * HOUR_MS, alpha.now.getTime())),
    );
  }
  await endYear(scene, world);
}

/** What is done on this day. */
async function workDay(scene: Scene, day: number, renewedUntil: number): Promise<void> {
  const { world, alpha, beta, portfolio } = scene;
  await portfolio.register(day < FIRST_DAYS ? REGISTERED_AT_FIRST : portfolio.random(4));
  await portfolio.renewDue(new Date(renewedUntil));
  if (day % 60 === 30) await portfolio.takeOver(beta, 'beta.marju.kuusik');
  if (day % 90 === 60) await alpha.settle(await alpha.orderTopUp(500 + 250 * (day % 4)), 'paid');
  if (day === 120) await loseDomains(scene, 2);
  if (day === 150) await alpha.settle(await alpha.orderTopUp(800), 'cancelled');
  if (day === 210) await moveNameserver(world, alpha, portfolio.names.slice(0, 40));
  if (day === 240)
    await changeOwnAccount(
      world.billing.database,
      { lowBalance: 200_00n, topUp: undefined },
      alpha.context('person'),
    );
  if (day === 363) await alpha.orderTopUp(500);
  if (day === DAYS - UNREAD_DAYS) await readMessages(scene);
}

const moveNameserver = async (
  { billing: { database } }: ExampleWorld,
  alpha: ExampleRegistrar,
  names: readonly string[],
) =>
  answerOf(
    await replaceNameserver(
      database,
      {
        current: 'ns2.alpha.example',
        next: { hostname: 'ns3.alpha.example', ipv4: [], ipv6: [] },
        names,
        mayBeSame: true,
      },
      alpha.context('person'),
    ),
  );

/** The last days: webhooks, of which one does not work, and what is to be done today. */
async function endYear(scene: Scene, world: YearWorld): Promise<void> {
  const { alpha, beta, portfolio } = scene;
  const { catches, fails } = world.receivers();
  const create = createEndpoint(world.webhooks);
  await alpha.run(create, { url: catches, description: 'Order system', eventTypes: null }, 'person');
  const invoicing = {
    url: fails,
    description: 'Invoicing',
    eventTypes: ['domain.registered', 'domain.renewed', 'invoice.issued'],
  };
  await alpha.run(create, invoicing, 'person');
  const later = (hours: number) => world.moveClockTo(new Date(alpha.now.getTime() + hours * HOUR_MS));
  await loseDomains(scene, 1);
  await causeIncidents(scene);
  await later(3);
  await alpha.orderTopUp(1200);
  await alpha.orderTopUp(80);
  const held = await alpha.countDomains();
  await portfolio.register(TOTAL - held - 1);
  await portfolio.takeOver(beta, 'beta.marju.kuusik');
  await later(2);
  await portfolio.createContacts(alpha, [newestCustomer]);
}

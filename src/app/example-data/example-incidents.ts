import { sql } from '../../platform/sql/statement.ts';
import { deleteDomain } from '../../registry/domains/delete-domain.ts';
import { orderForceDelete } from '../../registry/domains/order-force-delete.ts';
import { setServerStatus } from '../../registry/domains/set-server-status.ts';
import { updateDomain } from '../../registry/domains/update-domain.ts';
import { openDispute } from '../../registry/names/open-dispute.ts';
import { acknowledgeListed } from '../../registry/poll/read-messages.ts';
import { answerOf } from '../../operations/run-operation.ts';
import { transferDomain } from '../../registry/transfers/transfer-domain.ts';
import type { ExamplePortfolio } from './example-portfolio.ts';
import { byRegistry, type ExampleRegistrar, type ExampleWorld } from './example-registrar.ts';

export type Scene = {
  readonly world: ExampleWorld;
  readonly alpha: ExampleRegistrar;
  readonly beta: ExampleRegistrar;
  readonly portfolio: ExamplePortfolio;
};

const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** What has been dealt with is read. */
export async function readMessages({ world, alpha }: Scene): Promise<void> {
  const rows = await world.billing.database.reads.rows(sql<{ id: number }>`
    select id from poll_messages where registrar_id = ${alpha.id} and read_at is null order by id`);
  await alpha.run(acknowledgeListed, { ids: rows.map(({ id }) => id) }, 'person');
}

/** Domains leave for another registrar. */
export async function loseDomains({ world, alpha, beta, portfolio }: Scene, count: number): Promise<void> {
  for (const index of times(count)) {
    const name = portfolio.next();
    const transferCode = `leaving-code-${index}`;
    await alpha.run(updateDomain, { name, transferCode }, 'person');
    answerOf(await transferDomain(world.billing.database, { name, transferCode }, beta.context()));
  }
}

/** What waits for somebody, or keeps a domain from working. */
export async function causeIncidents({ world, alpha, portfolio }: Scene): Promise<void> {
  const hold = (name: string) =>
    alpha.run(updateDomain, { name, add: { statuses: [{ status: 'clientHold' }] } }, 'person');
  for (const _ of times(6)) await hold(portfolio.next());
  for (const number of [118, 121])
    await byRegistry(
      world,
      setServerStatus,
      { name: portfolio.next(), status: 'serverHold', note: '' },
      {
        text: 'Reported by the national CERT',
        forRegistrar: `Phishing report ${number}: remove the page, then write to us.`,
        caseNumber: `CERT-${number}`,
      },
    );
  await byRegistry(world, setServerStatus, {
    name: portfolio.next(),
    status: 'serverTransferProhibited',
    note: 'court order',
  });
  await byRegistry(world, setServerStatus, {
    name: portfolio.next(),
    status: 'serverRenewProhibited',
    note: '',
  });
  await byRegistry(world, orderForceDelete, {
    name: portfolio.next(),
    kind: 'soft',
    reason: 'the phone number is false',
  });
  await byRegistry(world, orderForceDelete, {
    name: portfolio.next(),
    kind: 'fast track',
    reason: 'the registrant does not exist',
  });
  await byRegistry(world, openDispute, { name: portfolio.next(), duration: 'P36M' });
  for (const code of ['oie.saar', 'liis.saar', 'kuubik'])
    await alpha.run(
      updateDomain,
      { name: portfolio.next(), registrant: { code, verified: false } },
      'person',
    );
  await alpha.run(
    deleteDomain,
    { name: portfolio.next(), verified: false, transferCode: undefined },
    'person',
  );
  for (const _ of times(3))
    await alpha.run(deleteDomain, { name: portfolio.next(), verified: true, transferCode: undefined });
}

import { SignJWT } from 'jose';
import { cancelInvoice } from '../../src/billing/invoices/cancel-invoice.ts';
import { refundInvoice } from '../../src/billing/payments/refund-invoice.ts';
import { carryOut } from '../../src/operations/operator-operation.ts';
import { storedClock } from '../../src/platform/clock/movable-clock.ts';
import type { Pool, Sql } from '../../src/platform/sql/executor.ts';
import { correctBalance } from '../../src/registry/registrars/correct-balance.ts';
import { operator } from '../../test/support/operator.ts';
import { sql } from '../../test/support/sql.ts';
import type { World } from '../world.ts';
import { type Action, live, type Parts } from './client.ts';

const CAUSE = { reason: { text: 'asked for' }, actor: 'torture' };
const REGISTRARS_OF_ALL = 0.7;

/** Operators of the registry: refunds, cancellations, corrections, credits, and payments outside the provider. */
export async function runOperator(world: World): Promise<void> {
  const token = await new SignJWT({ initiator: 'registry' })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from('registry-sandbox-secret'));

  /** Actions that fail with the database are skipped. */
  const quietly = (work: (db: Pool, now: Date) => Promise<unknown>): Promise<unknown> =>
    world.place.withOwner(async (db) => work(db, (await storedClock(db)).now())).catch(() => undefined);

  /** One of the newest invoices of a status, mostly of a registrar. Draws before it waits, so that the seed decides. */
  function newestInvoice({ chance }: Parts, statuses: readonly string[]) {
    const [drawn, ofRegistrar] = [chance.next(), chance.happens(REGISTRARS_OF_ALL)];
    return async (db: Sql): Promise<number | undefined> => {
      const found = await db.rows(sql<{ number: number }>`
        select number from invoices where status = any(${[...statuses]}::text[]) and (registrar_id is not null or not ${ofRegistrar})
        order by number desc limit 20`);
      return found[Math.floor(drawn * found.length)]?.number;
    };
  }

  const registrarOf = ({ chance }: Parts) => chance.oneOf(world.registrars)?.code ?? '';

  const actions = {
    async refund(parts: Parts) {
      const invoice = newestInvoice(parts, ['paid']);
      await quietly(async (db, now) => {
        const number = await invoice(db);
        if (number !== undefined) await carryOut(db, refundInvoice, { number }, operator({ ...CAUSE, now }));
      });
    },

    async cancel(parts: Parts) {
      const invoice = newestInvoice(parts, ['unpaid', 'failed', 'overdue']);
      await quietly(async (db, now) => {
        const number = await invoice(db);
        if (number !== undefined) await carryOut(db, cancelInvoice, { number }, operator({ ...CAUSE, now }));
      });
    },

    async correct(parts: Parts) {
      const code = registrarOf(parts);
      const cents = BigInt(1 + parts.chance.below(5_000));
      const amount = parts.chance.happens(0.5) ? cents : -cents;
      await quietly((db, now) => carryOut(db, correctBalance, { code, amount }, operator({ ...CAUSE, now })));
    },

    async credit(parts: Parts) {
      const body = { registrar: registrarOf(parts), amount: `${1 + parts.chance.below(50)}.00` };
      await parts.caller.want('credit', { method: 'POST', path: '/sandbox/topup', body }, false);
    },

    /** An unmatched bank transfer, or a refund by bank transfer. */
    async setStatus(parts: Parts) {
      const status = parts.chance.happens(0.6) ? 'paid' : 'refunded';
      const invoice = newestInvoice(parts, status === 'paid' ? ['unpaid', 'overdue'] : ['paid']);
      const number = await world.place.withOwner(invoice).catch(() => undefined);
      if (number === undefined) return;
      const headers = { authorization: `Bearer ${token}` };
      const body = { invoice_number: number, status };
      const path = '/api/v1/invoice_generator/invoice_status';
      await parts.caller.want(
        `status ${status}`,
        { method: 'POST', path, headers, body },
        parts.chance.happens(0.5),
      );
    },
  } satisfies Record<string, Action>;

  await live(world, 'operator', actions, { refund: 2, cancel: 1, correct: 3, credit: 2, setStatus: 2 });
}

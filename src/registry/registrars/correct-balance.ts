import { describeCorrection, postCorrection } from '../../ledger/post-correction.ts';
import { operatorTransaction } from '../../operations/operator-operation.ts';
import type { ReasonPath } from '../../operations/reason.ts';
import { insertHistory } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { AMOUNT_RULE, type Cents, toDecimal } from '../../platform/values/money.ts';
import { operatorRefusals } from '../operator-refusals.ts';
import { moveWithMessages } from './registrar-money.ts';

const { refuse } = operatorRefusals<ReasonPath>();

export type BalanceCorrection = {
  readonly code: string;
  /** Positive in favour of the registrar, negative against it. */
  readonly amount: Cents;
};

/**
 * A new entry in favour of a registrar or against it, with the messages about it; answers the new balance. The reason is
 * shown in the transaction: the text for the registrar, or else the one for the file.
 */
export const correctBalance = operatorTransaction(
  {
    name: 'correct balance',
    right: 'money',
    refusals: ['correctionUnexplained', 'correctionZero', 'correctionImpossible'],
  },
  {
    async transact(db, { code, amount }: BalanceCorrection, context): Promise<Cents> {
      const { actor, now: at, reason } = context;
      const told = reason?.forRegistrar ?? reason?.text;
      if (told === undefined) return refuse('correctionUnexplained', { at: ['reason', 'text'] });
      if (amount === 0n) refuse('correctionZero', { rule: AMOUNT_RULE });
      const registrar = await db.maybe(sql<{ id: number }>`select id from registrars where code = ${code}`);
      const move = { registrarId: registrar?.id ?? 0, amount, description: describeCorrection(told), at };
      const correction = { registrar: code, amount, reason: reason?.text ?? told, told, actor, at };
      const balance = registrar && (await moveWithMessages(db, move, (tx) => postCorrection(tx, correction)));
      if (balance === undefined) return refuse('correctionImpossible', { registrar: code });
      const entry = {
        objectKind: 'registrar',
        objectId: move.registrarId,
        objectName: code,
        operation: 'correct balance',
        registrarId: move.registrarId,
        after: { amount: toDecimal(amount), balance: toDecimal(balance) },
      };
      await db.run(insertHistory(entry, context, sql``));
      return balance;
    },
  },
);

import type { Billing } from '../../billing/context.ts';
import { referenceNumberOf } from '../../billing/invoices/references.ts';
import { inTransaction } from '../../operations/in-transaction.ts';
import { runOperation } from '../../operations/run-operation.ts';
import { Fields } from './fields.ts';
import type { BillingRoute } from './route.ts';

export function referenceRoutes({ database }: Billing): BillingRoute[] {
  return [
    {
      path: '/invoice_generator/reference_number_generator',
      status: 201,
      handle: async (body, caller) => {
        const fields = new Fields(body);
        fields.initiator('initiator', caller.initiator);
        const owner = fields.optionalName('owner') ?? undefined;
        const email = fields.optionalName('email') ?? undefined;
        fields.done(undefined);
        return runOperation(
          database,
          inTransaction({
            transact: async (db) => {
              const number = await referenceNumberOf(
                db,
                { initiator: caller.initiator, owner, email },
                caller.now,
              );
              return { message: `Reference number created; ${number}`, reference_number: number };
            },
          }),
          caller,
        );
      },
    },
  ];
}

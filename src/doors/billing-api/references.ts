import { referenceNumberOf } from '../../billing/invoices/reference-numbers.ts';
import { inTransaction } from '../../operations/in-transaction.ts';
import { runOperation } from '../../operations/run-operation.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { perform } from '../http/perform.ts';
import { Type } from '../http/schema-builder.ts';
import {
  type BillingDependencies,
  type BillingEndpoint,
  checkInitiator,
  endpoint,
  parsed,
} from './endpoint.ts';
import { renderReferenceNumber } from './render-results.ts';
import { Answered, MAX_NAME_LENGTH, OptionalText, OwnInitiator } from './schemas.ts';

/** reference_number_generator */
export const referenceEndpoints = ({ billing: { database } }: BillingDependencies): BillingEndpoint[] => [
  endpoint({
    id: 'generateReferenceNumber',
    method: 'POST',
    path: '/invoice_generator/reference_number_generator',
    group: 'Reference numbers',
    summary: 'The reference number of an owner; without an owner a new one',
    status: 201,
    body: Type.Object(
      {
        initiator: OptionalText(OwnInitiator),
        owner: OptionalText('whose number it is', MAX_NAME_LENGTH),
        email: OptionalText('e-mail address of the owner', MAX_NAME_LENGTH),
      },
      { 'x-component': 'ReferenceNumberOwner' },
    ),
    parse: ({ initiator, owner, email }, { caller }) =>
      parsed({ owner, email }, checkInitiator('initiator', initiator, caller)),
    data: Answered({ reference_number: Type.String() }, { 'x-component': 'NewReferenceNumber' }),
    refusals: [],
    example: {
      body: { owner: 'mari', email: 'mari@example.ee' },
      data: { message: 'Reference number created; 7734230', reference_number: '7734230' },
    },
    handle: async ({ input: { owner, email }, context }) =>
      perform(context, { render: renderReferenceNumber }, (keyed) => {
        const { initiator, now } = keyed;
        const transact = (db: Sql) => referenceNumberOf(db, { initiator, owner, email }, now);
        return runOperation(database, inTransaction({ transact }), keyed);
      }),
  }),
];

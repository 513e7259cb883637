import { type Catalogue, defineRefusals } from '../operations/refusal.ts';

/** Why the registry's staff cannot repair or confirm a database: whole sentences without their full stop. */
export const catalogue = {
  rangeUsedUp: {
    code: 2306,
    kind: 'rule',
    text: 'The range {range} of invoice numbers would be used up: it ends at {last}. Name a lower {field}, or give it a higher end in the policy',
    when: 'a repair would move the invoice numbers beyond the end of their range',
  },
  sandboxNeverOriginal: {
    code: 2304,
    kind: 'rule',
    text: 'A sandbox is no copy of a registry',
    when: 'a sandbox is declared the registry itself',
  },
  stagingNeverOriginal: {
    code: 2304,
    kind: 'rule',
    text: 'This is a staging copy, whose mails and payments nobody meant: restore the backup once more instead',
    when: 'a staging copy is declared the registry itself',
  },
  nothingRepaired: {
    code: 2304,
    kind: 'rule',
    text: 'Nothing was repaired since this database was restored: numbers and ids would be given twice and mails sent twice. Run cadastre recovery repair first, or add {field} if nothing was written to the original after the backup',
    when: 'a restored database that was not repaired is declared the registry itself',
  },
} as const satisfies Catalogue;

/** Places of the commands of a recovery. */
export type RecoveryPath = readonly ['invoiceNumbers' | 'withoutRepair'];

const maker = defineRefusals<typeof catalogue, RecoveryPath>(catalogue);
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;

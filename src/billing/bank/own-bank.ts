import type { Config } from '../../platform/config/config.ts';
import type { Policy } from '../../policy/policy.ts';
import type { BankDependencies } from './import-statement.ts';

/** Our own accounts, and the payments that never come from customers. */
export const ownBank = (
  { bankAccounts, bankSetAside }: Pick<Config, 'bankAccounts' | 'bankSetAside'>,
  policy: Policy,
): Pick<BankDependencies, 'accounts' | 'dismissedPrefixes'> => ({
  dismissedPrefixes: bankSetAside,
  accounts:
    bankAccounts.length > 0 ? bankAccounts : policy.billing.seller.bankAccounts.map(({ iban }) => iban),
});

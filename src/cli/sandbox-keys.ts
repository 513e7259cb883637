import { initiators } from '../billing/initiators.ts';
import type { Config } from '../platform/config/config.ts';
import { billingSecrets } from './billing.ts';
import { seed } from './seed.ts';

export type Key = { readonly what: string; readonly key: string };

/** What opens the other doors of the sandbox, besides the users of registrars. */
export function sandboxKeys(config: Config): Key[] {
  const secrets = billingSecrets(config);
  return [
    { what: 'Token of the business portal', key: seed.portal.token },
    ...initiators.map((initiator) => ({
      what: `Secret for billing tokens of ${initiator}`,
      key: secrets[initiator].join(', '),
    })),
    {
      what: 'Payment provider: user, secret, account, link token',
      key: [
        config.providerUser,
        config.providerSecret,
        config.providerAccount,
        config.providerLinkToken,
      ].join(', '),
    },
    { what: 'Phrase for the operator of e-invoices', key: config.einvoiceAuthPhrase ?? '' },
  ];
}

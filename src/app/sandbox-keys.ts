import { initiators } from '../billing/invoices/invoice.ts';
import { billingSecrets } from '../doors/billing-api/access.ts';
import { ACCOUNTING_PATH } from '../doors/sandbox/documents/accounting.ts';
import { EINVOICE_PATH } from '../doors/sandbox/documents/einvoice.ts';
import type { SeedCredentials } from '../doors/sandbox/trial/trial-form.ts';
import type { Config } from '../platform/config/config.ts';
import type { Origin } from '../platform/config/origin.ts';
import type { FallbackAddresses } from './open-outside-services.ts';
import { seed } from './seed.ts';

export type Key = { readonly what: string; readonly key: string };

/** Credentials of the sandbox other than the users of registrars. */
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

/** The service in whose name billing calls are tried, as in the documents' examples. */
const TRIAL_SERVICE = 'auction';

/** What the forms that try a call begin with. */
export async function trialCredentials(config: Config): Promise<SeedCredentials> {
  const [first] = seed.users;
  const [secret = ''] = billingSecrets(config)[TRIAL_SERVICE];
  const { SignJWT } = await import('jose');
  const token = await new SignJWT({ initiator: TRIAL_SERVICE })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));
  return {
    user: first?.username ?? '',
    password: first?.password ?? '',
    tokens: { reservation: seed.portal.token, billing: token },
  };
}

/** Addresses of the services that the sandbox simulates; known once the server listens. */
export const simulatedServices = (origin: Origin): FallbackAddresses => ({
  service: (service) => `${origin.ownUrl}/sandbox/services/${service}`,
  accounting: () => origin.ownUrl + ACCOUNTING_PATH,
  einvoice: () => origin.ownUrl + EINVOICE_PATH,
});

import { type EveryPaySettings, everyPay } from '../billing/provider/everypay.ts';
import { USUAL_PATIENCE } from '../billing/provider/patience.ts';
import type { PaymentProvider } from '../billing/provider/provider.ts';
import type { Config } from '../platform/config/config.ts';

export type ProviderAddresses = Pick<EveryPaySettings, 'url' | 'linkUrl'>;
export type ProviderKeys = Omit<EveryPaySettings, keyof ProviderAddresses>;

/** Whoever moves the clock of the sandbox by hours does not expect somebody to rest for seconds of another clock. */
const PATIENCE = { production: USUAL_PATIENCE, sandbox: { ...USUAL_PATIENCE, restMs: 1 } };

/** Whoever takes the customers' money, at the addresses of the settings or else at these; undefined where one is missing. */
export function openProvider(
  config: Config,
  otherwise: Partial<ProviderAddresses> = {},
): PaymentProvider | undefined {
  const keys = providerKeys(config);
  const url = config.providerUrl ?? otherwise.url;
  const linkUrl = config.providerLinkUrl ?? otherwise.linkUrl;
  return keys && url && linkUrl ? everyPay({ ...keys, url, linkUrl }, PATIENCE[config.mode]) : undefined;
}

/** How we and the provider know each other; undefined where one of the settings is missing. */
export function providerKeys(config: Config): ProviderKeys | undefined {
  const {
    providerUser: user,
    providerSecret: secret,
    providerAccount: account,
    providerLinkToken: linkToken,
  } = config;
  return user && secret && account && linkToken ? { user, secret, account, linkToken } : undefined;
}

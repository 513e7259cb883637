import type { Senders } from '../billing/deliveries/deliver.ts';
import { type ServiceName, serviceNames, serviceSender } from '../billing/deliveries/service-sender.ts';
import { accountingSender } from '../billing/exports/accounting/directo.ts';
import { eInvoiceSender } from '../billing/exports/einvoice/e-invoice-operator.ts';
import { DEFAULT_RETRY_POLICY } from '../billing/provider/circuit-breaker.ts';
import { type EveryPaySettings, everyPay } from '../billing/provider/everypay.ts';
import type { PaymentProvider } from '../billing/provider/provider.ts';
import { type Config, settings } from '../platform/config/config.ts';
import type { Mailer } from '../platform/mail/mail.ts';
import { smtpMailer } from '../platform/mail/smtp.ts';

export type ProviderAddresses = Pick<EveryPaySettings, 'url' | 'linkUrl'>;
export type ProviderKeys = Omit<EveryPaySettings, keyof ProviderAddresses>;

/** Whoever moves the clock of the sandbox by hours does not expect somebody to rest for seconds of another clock. */
const RETRY_POLICIES = { production: DEFAULT_RETRY_POLICY, sandbox: { ...DEFAULT_RETRY_POLICY, restMs: 1 } };

/** Whoever takes the customers' money, at the addresses of the settings or else at these; undefined where one is missing. */
export function openProvider(
  config: Config,
  otherwise: Partial<ProviderAddresses> = {},
): PaymentProvider | undefined {
  const keys = providerKeys(config);
  const url = config.providerUrl ?? otherwise.url;
  const linkUrl = config.providerLinkUrl ?? otherwise.linkUrl;
  return keys && url && linkUrl
    ? everyPay({ ...keys, url, linkUrl }, RETRY_POLICIES[config.mode])
    : undefined;
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

const SERVICES = {
  auction: { url: 'auctionUrl', secret: 'billingSecretAuction' },
  eeid: { url: 'eeidUrl', secret: 'billingSecretEeid' },
  business_registry: { url: 'businessRegistryUrl', secret: 'billingSecretBusinessRegistry' },
} as const satisfies Record<ServiceName, { url: keyof Config; secret: keyof Config }>;

/** Where those are who have no address in the configuration; the sandbox plays them. */
export type Otherwise = {
  readonly service: (service: ServiceName) => string;
  readonly accounting: () => string;
  readonly einvoice: () => string;
};

/** Whoever carries messages: to the services that issue invoices, and to those that get them as documents. */
export const openSenders = (config: Config, otherwise?: Otherwise): Senders => ({
  ...serviceSenders(config, otherwise?.service),
  accounting: accountingSender({
    url: () => config.accountingUrl ?? otherwise?.accounting(),
    setting: settings.accountingUrl.env,
  }),
  einvoice: eInvoiceSender({
    url: () => config.einvoiceUrl ?? otherwise?.einvoice(),
    authPhrase: config.einvoiceAuthPhrase,
    settings: { url: settings.einvoiceUrl.env, authPhrase: settings.einvoiceAuthPhrase.env },
  }),
});

function serviceSenders(config: Config, otherwise: Otherwise['service'] | undefined): Senders {
  return Object.fromEntries(
    serviceNames.map((service) => {
      const { url, secret } = SERVICES[service];
      const sender = serviceSender({
        url: () => config[url] ?? otherwise?.(service),
        secrets: config[secret],
        settings: { url: settings[url].env, secret: settings[secret].env },
      });
      return [`service:${service}`, sender];
    }),
  );
}

export const serviceSecrets = (config: Config) => ({
  auction: config[SERVICES.auction.secret],
  eeid: config[SERVICES.eeid.secret],
  business_registry: config[SERVICES.business_registry.secret],
});

/** Whoever takes our mails, closed with the rest; undefined where none is set. */
export function openMailer({ smtpUrl, mailFrom }: Config, running: AsyncDisposableStack): Mailer | undefined {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined;
  const mailer = smtpMailer(smtpUrl, mailFrom);
  running.defer(() => mailer.close());
  return mailer;
}

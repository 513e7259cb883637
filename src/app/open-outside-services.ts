import type { Senders } from '../billing/deliveries/deliver.ts';
import { type ServiceName, serviceNames, serviceSender } from '../billing/deliveries/service-sender.ts';
import { accountingSender } from '../billing/exports/accounting/directo.ts';
import { eInvoiceSender } from '../billing/exports/einvoice/e-invoice-operator.ts';
import { DEFAULT_RETRY_POLICY } from '../billing/provider/circuit-breaker.ts';
import { type EveryPaySettings, everyPay } from '../billing/provider/everypay.ts';
import type { PaymentProvider } from '../billing/provider/provider.ts';
import type { Config } from '../platform/config/config.ts';
import { settings } from '../platform/config/settings.ts';
import type { Mailer } from '../platform/mail/enqueue-mails.ts';
import { smtpMailer } from '../platform/mail/smtp.ts';

export type ProviderAddresses = Pick<EveryPaySettings, 'url' | 'linkUrl'>;
export type ProviderKeys = Omit<EveryPaySettings, keyof ProviderAddresses>;

/** The breaker's pause runs on real time, which a sandbox whose clock is moved by hours must not wait for. */
const RETRY_POLICIES = {
  production: DEFAULT_RETRY_POLICY,
  sandbox: { ...DEFAULT_RETRY_POLICY, resetTimeoutMs: 1 },
};

/** The payment provider, at the configured addresses or else at these; undefined where a setting is missing. */
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

/** Credentials shared with the provider; undefined where a setting is missing. */
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

/** Addresses of services that are not configured; the sandbox simulates them. */
export type FallbackAddresses = {
  readonly service: (service: ServiceName) => string;
  readonly accounting: () => string;
  readonly einvoice: () => string;
};

/** Senders of messages to the services that issue invoices, and of documents to those that receive them. */
export const openSenders = (config: Config, otherwise?: FallbackAddresses): Senders => ({
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

function serviceSenders(config: Config, otherwise: FallbackAddresses['service'] | undefined): Senders {
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

/** The mail transport, closed with the rest; undefined where none is configured. */
export function openMailer({ smtpUrl, mailFrom }: Config, running: AsyncDisposableStack): Mailer | undefined {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined;
  const mailer = smtpMailer(smtpUrl, mailFrom);
  running.defer(() => mailer.close());
  return mailer;
}

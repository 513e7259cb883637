import type { Senders } from '../billing/deliveries/deliver.ts';
import { type ServiceName, serviceNames, serviceSender } from '../billing/deliveries/service.ts';
import { accountingSender } from '../billing/exports/accounting/directo.ts';
import { eInvoiceSender } from '../billing/exports/einvoice/operator.ts';
import { type Config, settings } from '../platform/config/config.ts';

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

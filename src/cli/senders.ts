import type { Senders } from '../billing/deliveries/deliver.ts';
import { type ServiceName, serviceNames, serviceSender } from '../billing/deliveries/service.ts';
import { type Config, settings } from '../platform/config.ts';

const SERVICES = {
  auction: { url: 'auctionUrl', secret: 'billingSecretAuction' },
  eeid: { url: 'eeidUrl', secret: 'billingSecretEeid' },
  business_registry: { url: 'businessRegistryUrl', secret: 'billingSecretBusinessRegistry' },
} as const satisfies Record<ServiceName, { url: keyof Config; secret: keyof Config }>;

/** Whoever carries messages to the services of the configuration; one without an address is at `otherwise`, if anywhere. */
export function serviceSenders(
  config: Config,
  otherwise: (service: ServiceName) => string | undefined = () => undefined,
): Senders {
  return Object.fromEntries(
    serviceNames.map((service) => {
      const { url, secret } = SERVICES[service];
      const sender = serviceSender({
        url: () => config[url] ?? otherwise(service),
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

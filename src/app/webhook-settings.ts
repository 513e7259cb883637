import type { Config } from '../platform/config/config.ts';
import { version } from '../platform/version.ts';
import { type WebhookSender, webhookSender } from '../registry/webhooks/webhook-sender.ts';
import type { WebhookSettings } from '../registry/webhooks/known-webhooks.ts';
import type { ProductDependencies } from './product-dependencies.ts';

/** In a sandbox the receiver usually runs on the same machine, without a certificate. */
export const webhookSettings = ({
  mode,
  webhookSecret: secret,
  webhookAllowedNetworks: allowedNetworks,
}: Config): WebhookSettings => ({
  rules: { allowedNetworks, allowsLoopback: mode === 'sandbox' },
  secret,
});

type Dependencies = Pick<ProductDependencies, 'config' | 'database' | 'log'> &
  Partial<Pick<ProductDependencies, 'metrics'>>;

export const openWebhookSender = ({ config, database, log, metrics }: Dependencies): WebhookSender =>
  webhookSender({
    sql: database.writes,
    settings: webhookSettings(config),
    log,
    userAgent: `Cadastre/${version}`,
    attempted: (outcome, seconds) =>
      metrics?.webhooks.observe({ outcome: outcome === 'sent' ? 'delivered' : outcome }, seconds),
  });

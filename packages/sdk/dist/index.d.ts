export type { TlsOptions } from './node-transport.ts';
export { verifyWebhook } from './node-webhooks.ts';
export { Registry, type RegistryOptions } from './registry.ts';
export * from './shared.ts';

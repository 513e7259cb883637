export { verifyWebhook } from './node-webhooks.js';
export { Registry } from './registry.js';
export * from './shared.js';

/** `cadastre-sdk/testing`: what the tests of your program need, against a sandbox or without a registry. */
export { type PaymentOutcome, Sandbox, SandboxError, type SandboxPayment, } from './sandbox.ts';
export { type SignedWebhook, signWebhook, type WebhookToSign } from './sign-webhook.ts';

/** `cadastre-sdk/testing`: what the tests of your program need, against a sandbox or without a registry. */
export { Sandbox, SandboxError, } from './sandbox.js';
export { signWebhook } from './sign-webhook.js';

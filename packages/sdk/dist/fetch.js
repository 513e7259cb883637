/** `cadastre-sdk/fetch`: the client for runtimes that have `fetch` and no modules of Node. */
export { Registry } from './fetch-registry.js';
export * from './shared.js';

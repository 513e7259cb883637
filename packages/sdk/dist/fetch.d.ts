/** `cadastre-sdk/fetch`: the client for runtimes that have `fetch` and no modules of Node. */
export { Registry, type RegistryOptions } from './fetch-registry.ts';
export * from './shared.ts';

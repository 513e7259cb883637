import { Client, type ClientOptions } from './client.ts';
export type RegistryOptions = ClientOptions;
/** A client of the registrar API where there is `fetch` alone; without client certificates. */
export declare class Registry extends Client {
    constructor(options: RegistryOptions);
}

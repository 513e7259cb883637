import { Client, type ClientOptions } from './client.ts';
import { type TlsOptions } from './node-transport.ts';
export type RegistryOptions = ClientOptions & {
    /** The client certificate, where the registry requires one, and authorities other than those of Node. */
    readonly tls?: TlsOptions | undefined;
};
/** A client of the registrar API on Node. */
export declare class Registry extends Client {
    constructor(options: RegistryOptions);
}

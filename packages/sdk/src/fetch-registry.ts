import { Client, type ClientOptions } from './client.ts';
import { fetchTransport } from './fetch-transport.ts';

export type RegistryOptions = ClientOptions;

/** A client of the registrar API where there is `fetch` alone; without client certificates. */
export class Registry extends Client {
  constructor(options: RegistryOptions) {
    super(options, options.transport ?? fetchTransport(options.maxAnswerBytes));
  }
}

import { Client } from './client.js';
import { fetchTransport } from './fetch-transport.js';
/** A client of the registrar API where there is `fetch` alone; without client certificates. */
export class Registry extends Client {
    constructor(options) {
        super(options, options.transport ?? fetchTransport(options.maxAnswerBytes));
    }
}

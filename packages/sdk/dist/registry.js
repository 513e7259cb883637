import { Client } from './client.js';
import { nodeTransport } from './node-transport.js';
/** A client of the registrar API on Node. */
export class Registry extends Client {
    constructor(options) {
        super(options, options.transport ?? nodeTransport(options.tls, options.maxAnswerBytes));
    }
}

import { Groups } from './generated/groups.js';
import { DEFAULT_RETRY_POLICY } from './retry-policy.js';
import { createSender } from './sender.js';
import { toBase64 } from './base64.js';
import { VERSION } from './version.js';
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
/** A client of the registrar API, whatever sends its requests: a member per group of calls. */
export class Client extends Groups {
    #transport;
    constructor(options, transport) {
        const { retry, onAttempt, timeoutMs, userAgent } = options;
        super(createSender({
            transport,
            onAttempt,
            timeoutMs,
            baseUrl: requireBaseUrl(options),
            authorization: basicCredentials(options),
            userAgent: [userAgent, `cadastre-sdk/${VERSION}`].filter(Boolean).join(' '),
            retry: { ...DEFAULT_RETRY_POLICY, ...retry },
        }));
        this.#transport = transport;
    }
    /** Closes idle connections. A program ends without it, too. */
    close() {
        this.#transport.close();
    }
}
function requireBaseUrl({ baseUrl, allowHttp = false }) {
    const url = new URL(baseUrl);
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
        throw new TypeError('baseUrl has neither credentials nor a query nor a fragment');
    if (url.pathname !== '/')
        throw new TypeError(`baseUrl has no path: ${url.origin} instead of ${url.origin}${url.pathname}`);
    const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && (allowHttp || LOOPBACK.includes(url.hostname)));
    if (!isAllowed)
        throw new TypeError('baseUrl must begin with https:, since every request has the password');
    return url.origin;
}
function basicCredentials({ username, password }) {
    // Programs in JavaScript often take them from variables that are not set.
    if (!username || !password)
        throw new TypeError('username and password are required');
    if (username.includes(':'))
        throw new TypeError('a username has no colon');
    return `Basic ${toBase64(new TextEncoder().encode(`${username}:${password}`))}`;
}

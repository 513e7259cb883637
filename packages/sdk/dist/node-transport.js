import http from 'node:http';
import https from 'node:https';
import { PassThrough, pipeline } from 'node:stream';
import zlib from 'node:zlib';
import { AnswerTooLarge, MAX_ANSWER_BYTES, } from './transport.js';
const DECODERS = {
    gzip: zlib.createGunzip,
    br: zlib.createBrotliDecompress,
};
/** The transport over node:http and node:https: `fetch` takes no client certificate without another package. */
export function nodeTransport(tls = {}, maxAnswerBytes = MAX_ANSWER_BYTES) {
    const present = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
    const plain = new http.Agent({ keepAlive: true });
    const secure = new https.Agent({ keepAlive: true, ...present });
    return {
        async send(request) {
            const { response, body } = await exchange(request, plain, secure, maxAnswerBytes);
            return { status: response.statusCode ?? 0, headers: flat(response.headers), body };
        },
        close() {
            plain.destroy();
            secure.destroy();
        },
    };
}
const flat = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
function exchange({ method, url, headers, body, signal, timeoutMs }, plain, secure, maxAnswerBytes) {
    return new Promise((resolve, reject) => {
        const options = {
            method,
            headers: {
                ...headers,
                'accept-encoding': 'gzip, br',
                ...(body && { 'content-length': String(body.byteLength) }),
            },
            ...(signal && { signal }),
        };
        const request = url.protocol === 'https:'
            ? https.request(url, { ...options, agent: secure })
            : http.request(url, { ...options, agent: plain });
        const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
        const fail = (error) => {
            clearTimeout(timer);
            reject(error);
        };
        request.on('error', fail);
        request.on('response', (response) => {
            timer.refresh();
            response.on('data', () => timer.refresh());
            readBody(response, maxAnswerBytes).then((content) => {
                clearTimeout(timer);
                resolve({ response, body: content });
            }, fail);
        });
        request.end(body);
    });
}
/** Counted while it is decompressed: a small answer can become any number of bytes. */
async function readBody(response, maxBytes) {
    const decoder = DECODERS[response.headers['content-encoding'] ?? '']?.() ?? new PassThrough();
    const chunks = [];
    let size = 0;
    // The loop ends with an error of either, and ends both where it is left.
    for await (const chunk of pipeline(response, decoder, () => { })) {
        size += chunk.length;
        if (size > maxBytes)
            throw new AnswerTooLarge(maxBytes);
        chunks.push(chunk);
    }
    return Buffer.concat(chunks);
}

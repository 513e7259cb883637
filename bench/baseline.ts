import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/**
 * The baseline: the least that any server on this Node has to do. It answers every request with the bytes it was
 * told over its channel, once it has read the request, and knows nothing else. Started with the files of a key and a
 * certificate it speaks TLS, and lets the client show a certificate too.
 */
export type BaselineAnswer = { readonly contentType: string; readonly body: string };

let body = Buffer.alloc(0);
let headers: Record<string, string | number> = {};

const respond: RequestListener = (request, response) => {
  const answer = () => {
    response.writeHead(200, headers);
    response.end(body);
  };
  if (request.method === 'GET') return answer();
  request.resume();
  request.once('end', answer);
};

process.on('message', (answer: BaselineAnswer) => {
  body = Buffer.from(answer.body);
  headers = { 'content-type': answer.contentType, 'content-length': body.length };
  process.send?.('ready');
});
process.on('disconnect', () => process.exit(0));
const [key, cert] = process.argv.slice(2).map((file) => readFileSync(file));
const server =
  key && cert
    ? createSecureServer({ key, cert, requestCert: true, rejectUnauthorized: false }, respond)
    : createServer(respond);
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

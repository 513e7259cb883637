/** Receives webhooks: WEBHOOK_SECRET=whsec_… PORT=3000 node webhook-receiver.ts */
import http from 'node:http';
import { verifyWebhook, WebhookError } from 'cadastre-sdk';

const { WEBHOOK_SECRET = '', PORT = '3000' } = process.env;
const MAX_BODY_BYTES = 64 * 1024;
const handled = new Set<string>();

const server = http.createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return response.writeHead(413).end();
    chunks.push(chunk);
  }
  try {
    const { headers } = request;
    const event = verifyWebhook({ secrets: WEBHOOK_SECRET.split(' '), headers, body: Buffer.concat(chunks) });
    // The same event can come more than once; keep the ids in your database.
    if (!handled.has(event.id)) console.log(`${event.type} ${JSON.stringify(event.data)}`);
    handled.add(event.id);
    return response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    return response.writeHead(400).end(error.message);
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log('listening'));

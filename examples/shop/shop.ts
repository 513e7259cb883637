/** A shop that registers every domain that was paid for exactly once, at the price that was paid: see README.md. */
import { once } from 'node:events';
import fs from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import * as sdk from 'cadastre-sdk';

const { CADASTRE_URL: baseUrl = 'http://127.0.0.1:8080', WEBHOOK_SECRET = '' } = process.env;
const { CADASTRE_USERNAME: username = 'alpha', ORDERS_FILE = 'orders.jsonl' } = process.env;
const { CADASTRE_PASSWORD: password = 'alpha-sandbox-password', PORT = '3000' } = process.env;
const [MAX_BODY_BYTES, RETRY_INTERVAL_MS] = [64 * 1024, 10_000];

type NewOrder = { id: string; owner: sdk.NewContact; domain: Omit<sdk.NewDomain, 'registrant'> };
type Order = NewOrder & { registered?: { name: string }; refused?: string };
type DomainEvent = { event: string; type: string; domain: string; sequence: number };
type Answer = readonly [status: number, content?: object];
type Line = DomainEvent | (Partial<Order> & { id: string });
const registry = new sdk.Registry({ baseUrl, username, password, userAgent: 'shop/1.0' });
const orders = new Map<string, Order>();
const [eventIds, lastEvents] = [new Set<string>(), new Map<string, DomainEvent>()];

function apply(line: Line): void {
  if (!('event' in line)) return void orders.set(line.id, { ...orders.get(line.id), ...line } as Order);
  eventIds.add(line.event);
  // Events come in any order: of two about one domain the younger has the higher sequence.
  if (line.sequence > (lastEvents.get(line.domain)?.sequence ?? 0)) lastEvents.set(line.domain, line);
}

/** Returns once the line is on the disk: only then is anything sent or answered. */
function store(line: Line): void {
  fs.appendFileSync(ORDERS_FILE, `${JSON.stringify(line)}\n`, { flush: true });
  apply(line);
}

/** May be repeated at any time: what a key has made is found by it for as long as it is there. */
async function register({ id, owner, domain: wanted }: Order): Promise<void> {
  const { contact } = (await registry.contacts.create(owner, { key: `${id}-contact` })).data;
  const order = { ...wanted, registrant: contact.code };
  const { domain } = (await registry.domains.create(order, { key: `${id}-domain` })).data;
  store({ id, registered: domain });
}

/** Tries until the registry has decided. What no repetition mends, such as a wrong password, ends the shop. */
async function carryOut(id: string): Promise<void> {
  for (let order = orders.get(id); order && !order.registered && !order.refused; order = orders.get(id)) {
    const error = await register(order).catch((reason: unknown) => reason);
    const passes = error instanceof sdk.Refusal && (error.status === 429 || error.has('noFunds'));
    if (passes || error instanceof sdk.ConnectionError || error instanceof sdk.UnavailableError) {
      console.error(`${id} waits: ${error.message}`);
      await setTimeout(RETRY_INTERVAL_MS);
    } else if (error instanceof sdk.Refusal) store({ id, refused: error.reason });
    else if (error) throw error;
  }
}
let queue = Promise.resolve();

async function answer(request: IncomingMessage): Promise<Answer> {
  const { method, url = '', headers } = request;
  if (Number(headers['content-length'] ?? (method === 'GET' ? 0 : Infinity)) > MAX_BODY_BYTES) return [413];
  const body = await buffer(request);
  if (method === 'POST' && url === '/events') {
    const { id, type, data } = sdk.verifyWebhook({ secrets: WEBHOOK_SECRET.split(' '), headers, body });
    const { domain, sequence } = data as { domain?: string; sequence: number };
    if (domain && !eventIds.has(id)) store({ event: id, type, domain, sequence });
    return [204];
  }
  const [, place, name = ''] = decodeURI(url).split('/');
  if (place === 'names') return [200, (await registry.domains.checkMany([name])).data.domains[0] ?? {}];
  const { id, owner, domain }: NewOrder = method === 'POST' ? JSON.parse(String(body)) : { id: name };
  if (method === 'POST' && url === '/orders' && !orders.has(id)) {
    if (!/^[\w-]{1,64}$/.test(id) || !owner || !domain?.expected_price) return [400];
    store({ id, owner, domain });
    queue = queue.then(() => carryOut(id));
  }
  const order = orders.get(id);
  return order ? [200, { ...order, event: lastEvents.get(order.registered?.name ?? '')?.type }] : [404];
}

function refuse(error: Error): Answer {
  console.error(error.message);
  return [error instanceof sdk.WebhookError || error instanceof SyntaxError ? 400 : 500];
}
const server = http.createServer(async (request, response) => {
  const [status, content] = await answer(request).catch(refuse);
  response.writeHead(status).end(content && JSON.stringify(content));
});
await once(server.listen(Number(PORT), '127.0.0.1'), 'listening'); // whoever has the port has the file
const lines = fs.readFileSync(ORDERS_FILE, { encoding: 'utf8', flag: 'a+' }).split('\n');
// Nothing was done yet because of a line that was not written to its end.
fs.truncateSync(ORDERS_FILE, fs.statSync(ORDERS_FILE).size - Buffer.byteLength(lines.pop() ?? ''));
for (const line of lines) apply(JSON.parse(line));
for (const id of orders.keys()) queue = queue.then(() => carryOut(id));
console.log('listening');

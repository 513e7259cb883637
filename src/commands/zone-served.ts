import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_TSIG } from '../doors/dns/sandbox-secondaries.ts';
import { transferZone } from '../doors/dns/transfer-client.ts';
import type { TsigKey } from '../doors/dns/tsig.ts';
import type { Pool } from '../platform/sql/executor.ts';
import { installationKind } from '../platform/migrations/migrate.ts';
import { KnownSecondaries } from '../registry/secondaries/known-secondaries.ts';
import { compareServed, type ServedDifference } from '../registry/zones/check-served.ts';
import { CommandError, printJson, printRows } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';

export type ServedOptions = { readonly server?: string; readonly key?: string; readonly json?: boolean };

/** A change that is on its way to the server is there by then. */
const RETRY_INTERVAL_MS = 2_000;
const ATTEMPTS = 3;
const MAX_SHOWN = 50;

/** Compares what a server has, by AXFR, with what is published. */
export async function checkServed(
  db: Pool,
  zones: readonly string[],
  { server = '', key: keyName, json }: ServedOptions,
): Promise<void> {
  if (keyName === undefined)
    throw new CommandError('--server needs --key, the name of a key that it accepts.');
  const [address, key] = [serverAddress(server), await findKey(db, keyName)];
  const compared: ({ readonly zone: string } & ServedDifference)[] = [];
  for (const zone of zones)
    compared.push({
      zone,
      ...(await withProgress(`comparing ${zone}`, () => compare(db, { ...address, zone, key }))),
    });
  if (json) printJson(compared);
  else
    printRows(
      compared.map(({ zone, serial, servedSerial, missing, extra }) => ({
        zone,
        serial: serial ?? null,
        served: servedSerial ?? null,
        missing: missing.length,
        extra: extra.length,
      })),
      false,
    );
  const lines = compared.flatMap(({ missing, extra }) => [
    ...missing.map((line) => `- ${line}`),
    ...extra.map((line) => `+ ${line}`),
  ]);
  if (lines.length === 0) return;
  const isComplete = compared.every((one) => one.isComplete);
  const left = lines.length - MAX_SHOWN;
  const more = left > 0 ? `\nand ${left}${isComplete ? '' : ' or many'} more` : '';
  throw new CommandError(
    `${lines.slice(0, MAX_SHOWN).join('\n')}${more}\n${server} does not serve what is published.`,
  );
}

async function compare(db: Pool, request: Parameters<typeof transferZone>[0]): Promise<ServedDifference> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await compareServed(db, request.zone, () => transferZone(request)).catch((error: Error) => {
      throw new CommandError(`${request.zone} cannot be transferred from ${request.host}: ${error.message}.`);
    });
    if (attempt === ATTEMPTS || found.missing.length + found.extra.length === 0) return found;
    await sleep(RETRY_INTERVAL_MS);
  }
}

function serverAddress(text: string): { host: string; port: number } {
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = isIP(text) === 6 ? text : (bracketed ?? plain ?? '');
  if (isIP(host) === 0 || Number(port) > 65_535)
    throw new CommandError(
      '--server is an IP address, with a port where that is not 53, such as 192.0.2.1:5300.',
    );
  return { host, port: Number(port) };
}

async function findKey(db: Pool, name: string): Promise<TsigKey> {
  // As the server has it: the public key of the sandbox before one of the same name.
  if (name === SANDBOX_TSIG.name && (await installationKind(db)) === 'sandbox')
    return { ...SANDBOX_TSIG, secret: Buffer.from(SANDBOX_TSIG.secret, 'base64') };
  const known = new KnownSecondaries(db);
  await known.refresh();
  const key = known.findKey(name);
  if (key) return key;
  throw new CommandError(`There is no valid key ${name}; see: cadastre dns key list`);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandIn } from '../../test/support/debian-packages.ts';
import { findDnsPrograms } from '../../test/support/dns-programs.ts';
import { typesAt } from '../../test/support/dns-query.ts';
import { freePort, hasIpv6Loopback } from '../../test/support/free-port.ts';
import { NSD } from '../../test/support/public-servers.ts';
import { type SignedChain, writeConfiguration } from '../../test/support/signed-chain.ts';
import type { Serving } from '../hostile/production.ts';
import type { Bar } from '../progress.ts';
import { LIMITS } from '../servers.ts';
import type { Figure } from '../work.ts';
import { publishChanges } from './changes.ts';
import { PublicPoller } from './public-poller.ts';
import type { ZoneSizes } from './zone.ts';
import { startZone, ZONE } from './zone-place.ts';

const PUBLIC_TIMEOUT_MS = 300_000;
const POLL_INTERVAL_MS = 100;
/** From nothing: transfer, signatures of the whole zone, and a second transfer. */
const MAX_FIRST_SECONDS = 120;

type Programs = { readonly knot: string; readonly nsd: string };

/** Knot and NSD of Debian, or why they cannot be had. */
export function findPrograms(): Programs | { readonly reason: string } {
  if (!hasIpv6Loopback()) return { reason: 'this machine has no IPv6 on loopback' };
  const [knot, nsd] = [findDnsPrograms(), NSD.find()];
  if ('reason' in knot) return knot;
  return 'reason' in nsd ? nsd : { knot: knot.root, nsd: nsd.root };
}

/** Changes until a public server answers with them: Cadastre, Knot as the signer, NSD, with the configurations we ship. */
export async function measureChain(
  programs: Programs,
  { delegations, changes }: ZoneSizes,
  bar: Bar,
): Promise<readonly Figure[]> {
  const place = await startZone(delegations, bar);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-chain-'));
  const servers: ChildProcess[] = [];
  let poller: PublicPoller | undefined;
  let server: Serving | undefined;
  try {
    const [dnsPort, signer, nsd, bind] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const signerKey = await place.addSecondary('signer', signer);
    place.startWork();
    await place.untilBuilt();
    server = await place.production.serve({ ...LIMITS, DNS_PORT: String(dnsPort) });
    const chain: SignedChain = {
      folder,
      ports: { cadastre: dnsPort, signer, nsd, bind },
      signerKey,
      programs: { ...programs, bind: '', tools: '' },
      publicKey: { name: 'public-2031', algorithm: 'hmac-sha256', secret: randomBytes(32) },
    };
    const started = performance.now();
    servers.push(start(programs.knot, 'usr/sbin/knotd', ['-c', writeConfiguration(chain, 'signer')]));
    servers.push(start(programs.nsd, 'usr/sbin/nsd', ['-d', '-c', writeConfiguration(chain, 'nsd')]));
    bar.say('Knot signs the zone');
    await untilPublic(nsd);
    const seconds = (performance.now() - started) / 1000;
    poller = new PublicPoller(nsd);
    const first = `${delegations} delegations through Knot and NSD`;
    const work = `${changes} registrations through Knot and NSD, ${delegations} delegations`;
    return [
      {
        work: first,
        what: 'seconds from nothing until NSD answers',
        value: seconds,
        most: MAX_FIRST_SECONDS,
      },
      ...(await publishChanges(
        work,
        { port: server.port, world: place.production.world, count: changes },
        poller,
      )),
    ];
  } finally {
    await poller?.close();
    await server?.stop();
    await Promise.all(servers.map(end));
    await place.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(root: string, program: string, options: readonly string[]): ChildProcess {
  const [command, ...before] = commandIn(root, program);
  const child = spawn(command, [...before, ...options], { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function untilPublic(port: number): Promise<void> {
  const deadline = performance.now() + PUBLIC_TIMEOUT_MS;
  while (!(await typesAt({ port }, ZONE, 'DNSKEY')).includes('RRSIG')) {
    if (performance.now() > deadline) throw new Error('the signed zone is not public');
    await sleep(POLL_INTERVAL_MS);
  }
}

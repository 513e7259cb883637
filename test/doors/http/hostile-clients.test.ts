import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Production, type Serving, startProduction } from '../../../bench/hostile/production.ts';
import { Bar } from '../../../bench/progress.ts';
import type { TlsFiles } from '../../support/attacks/attack.ts';
import { startAttackProcess } from '../../support/attacks/attack-process.ts';
import { attacks } from '../../support/attacks/attacks.ts';
import { callAsRegistrars } from '../../support/attacks/registrar-calls.ts';
import { inFiles, selfSigned } from '../../support/certificates.ts';
import { placeOfData } from '../../support/global-setup.ts';
import { expect } from '../../support/this-test.ts';

const silent = { isTTY: false, write: () => true } as unknown as NodeJS.WriteStream;
const MAX_STALL_SECONDS = 0.25;
const USERS = 6;
/** An attack that stalls the server does so within the first second; some have cumulative effects. */
const [SECONDS, TLS_SECONDS] = process.env.TORTURE ? [2, 5] : [1, 2];

/** Six users with ten reads a second each stay below the default of 1,000 a minute. */
const load = ({ world }: Production, { port }: Pick<Serving, 'port'>, seconds: number) => ({
  port,
  seconds,
  perSecond: 60,
  calls: world.others.slice(0, USERS).flatMap(({ authorization, domains }) => [
    { authorization, path: `/registry/v1/domains/${domains[0]?.name}` },
    { authorization, path: '/registry/v1/accounts/balance' },
  ]),
});

/** The longest stall of the event loop since the last call. */
async function longestStall({ metricsUrl }: Serving): Promise<number> {
  // A connection that waits between two attacks may be closed by the server just as it is used again.
  const text = await (await fetch(metricsUrl, { headers: { connection: 'close' } })).text();
  const [, value] = /^cadastre_event_loop_stall_seconds (\S+)$/m.exec(text) ?? [];
  return Number(value ?? Number.NaN);
}

/** A server that is attacked by one attack after the other. */
type Attacked = { readonly serving: Serving; turn: Promise<unknown> };

describe.concurrent('a production server under attack still answers registrars', () => {
  let production: Production;
  let servers: Attacked[] = [];
  let secure: Attacked;
  let tls: TlsFiles;
  beforeAll(async () => {
    production = await startProduction(new Bar(silent), { place: placeOfData(), hasQuickPasswords: true });
    const start = async () => {
      const serving = await production.serve();
      // Passwords are verified once, before the attack.
      await callAsRegistrars(load(production, serving, 1));
      return { serving, turn: Promise.resolve() };
    };
    // Two, since an attack mostly waits.
    servers = await Promise.all([start(), start()]);
    const identities = [await selfSigned('localhost'), await selfSigned('localhost')] as const;
    const files = await inFiles(identities[0]);
    tls = { ...files, identities };
    const serving = await production.serve({
      TLS_KEY_FILE: files.tlsKeyFile,
      TLS_CERTIFICATE_FILE: files.tlsCertificateFile,
    });
    secure = { serving, turn: Promise.resolve() };
  }, 120_000);
  afterAll(async () => {
    await Promise.all([...servers, secure].map(({ serving }) => serving.stop()));
    await production.stop();
  });

  const inTurn = <T>(server: Attacked | undefined, work: (serving: Serving) => Promise<T>): Promise<T> => {
    if (!server) throw new Error('no server was started');
    const result = server.turn.then(() => work(server.serving));
    server.turn = result.catch(() => {});
    return result;
  };

  test.each(attacks.filter(({ needsTls }) => needsTls))(
    'success: every handshake: $name',
    ({ name }) =>
      inTurn(secure, async ({ port }) => {
        const stop = await startAttackProcess(name, { port, tls });
        const { failures } = await callAsRegistrars({
          ...load(production, { port }, TLS_SECONDS),
          secure: true,
        });
        await stop();
        expect([...failures]).toEqual([]);
      }),
    120_000,
  );

  test.each(attacks.filter(({ needsTls }) => !needsTls).map(({ name }, index) => ({ name, place: index })))(
    'success: $name',
    ({ name, place }) =>
      inTurn(servers[place % servers.length], async (serving) => {
        const stop = await startAttackProcess(name, {
          port: serving.port,
          eppPort: serving.eppPort,
          dnsPort: serving.dnsPort,
          whoisPort: serving.whoisPort,
          credentials: production.credentials,
        });
        await longestStall(serving);
        const { failures } = await callAsRegistrars(load(production, serving, SECONDS));
        const stall = await longestStall(serving);
        await stop();
        expect([...failures]).toEqual([]);
        expect(stall).toBeLessThan(MAX_STALL_SECONDS);
      }),
    // Its turn comes after those of others.
    180_000,
  );
});

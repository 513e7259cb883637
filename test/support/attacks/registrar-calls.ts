import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { FORWARDED_REGISTRAR, PROXY } from './raw-connection.ts';

export type RegistrarCalls = {
  readonly port: number;
  /** Over TLS, with a handshake for each call. */
  readonly secure?: boolean;
  /** Through the proxy that the server trusts. */
  readonly behindProxy?: boolean;
  /** The headers and paths that are called in turns. */
  readonly calls: readonly { readonly authorization: string; readonly path: string }[];
  readonly perSecond: number;
  readonly seconds: number;
};
export type RegistrarOutcome = {
  /** From when each call was due until its answer was there, or until it was given up, in order of size. */
  readonly milliseconds: readonly number[];
  /** How often something other than 200 came of a call: a status, or the code of an error. */
  readonly failures: ReadonlyMap<string, number>;
};

const GIVE_UP_MS = 20_000;

/** Registrars who call at a fixed rate, whether or not they were answered, and count whatever is no success. */
export async function callAsRegistrars(load: RegistrarCalls): Promise<RegistrarOutcome> {
  const agent = load.secure
    ? new https.Agent({ keepAlive: false, rejectUnauthorized: false })
    : new http.Agent({ keepAlive: true });
  const started = performance.now();
  const milliseconds: number[] = [];
  const failures = new Map<string, number>();
  const running: Promise<void>[] = [];
  for (let index = 0; index < load.seconds * load.perSecond; index++) {
    const due = started + (index * 1000) / load.perSecond;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    const call = load.calls[index % load.calls.length];
    if (!call) throw new Error('there is nothing to call');
    running.push(
      callOnce(load, call, agent).then((outcome) => {
        milliseconds.push(performance.now() - due);
        if (outcome !== '200') failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
      }),
    );
  }
  await Promise.all(running);
  agent.destroy();
  return { milliseconds: milliseconds.toSorted((one, other) => one - other), failures };
}

type Call = RegistrarCalls['calls'][number];

function callOnce(
  { port, secure, behindProxy = false }: RegistrarCalls,
  { authorization, path }: Call,
  agent: http.Agent,
) {
  return new Promise<string>((resolve) => {
    const request = (secure ? https : http).get(
      {
        host: '127.0.0.1',
        port,
        path,
        agent,
        signal: AbortSignal.timeout(GIVE_UP_MS),
        ...(behindProxy && PROXY),
        headers: {
          authorization,
          accept: 'application/json',
          ...(behindProxy && { 'x-forwarded-for': FORWARDED_REGISTRAR }),
        },
      },
      (answer) => {
        answer.resume().once('close', () => resolve(answer.complete ? String(answer.statusCode) : 'cut off'));
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

/** The time within which this share of the calls ended. */
export const quantileOf = ({ milliseconds }: RegistrarOutcome, share: number): number =>
  milliseconds[Math.ceil(milliseconds.length * share) - 1] ?? Number.NaN;

import type { EppAddress } from '../../src/doors/sandbox/sandbox-addresses.ts';
import { EppClient } from './epp.ts';
import type { LogInOptions } from './epp-frames.ts';

/** Where the sandbox at this URL has EPP. */
export async function eppAddressOf(url: string): Promise<EppAddress> {
  const { epp } = (await (await fetch(`${url}/sandbox`)).json()) as { epp?: EppAddress };
  if (!epp) throw new Error(`${url} has no EPP`);
  return epp;
}

/** A client of the sandbox that has logged in as a user of the seed. */
export async function logInToEpp(
  { port, ca_certificate: ca }: Pick<EppAddress, 'port' | 'ca_certificate'>,
  user: string,
  options: LogInOptions = {},
): Promise<EppClient> {
  const client = await EppClient.connect({ port, ca });
  const { code, frame } = await client.logIn(user, `${user}-sandbox-password`, options);
  if (code !== 1000) throw new Error(`The login of ${user} was refused:\n${frame}`);
  return client;
}
